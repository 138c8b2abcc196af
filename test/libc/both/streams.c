/* Streams, files and folders. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    char folder[] = "/tmp/tangent-both-XXXXXX", path[100], *line = 0, text[32];
    size_t room = 0;
    struct stat s;
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/file", folder);
    FILE *f = fopen(path, "w+");
    fputs("first\nsecond line\nthird", f);
    printf("%zu %d\n", __fpending(f), __fwriting(f) != 0);
    rewind(f);
    while (getline(&line, &room, f) > 0) printf("[%s]", line);
    printf("%d %d\n", feof(f) != 0, ferror(f));
    fseek(f, 6, SEEK_SET);
    ungetc('X', f);
    printf("%c", getc(f));
    printf("%c", getc(f));
    printf(" %ld\n", ftell(f));
    fclose(f);
    f = fopen(path, "a");
    fputs("!", f);
    printf("%ld\n", ftell(f));
    fclose(f);
    stat(path, &s);
    printf("%ld %o\n", (long)s.st_size, s.st_mode & S_IFMT);
    f = fopen("/nonexistent/x", "r");
    printf("%d %d\n", f == 0, errno);
    f = fmemopen("memory text", 11, "r");
    printf("%zu", fread(text, 1, 6, f));
    printf(" %.6s\n", text);
    fclose(f);
    char *made;
    size_t size;
    f = open_memstream(&made, &size);
    fprintf(f, "%d-%s", 12, "x");
    fclose(f);
    printf("%s %zu\n", made, size);
    free(made);
    free(line);
    DIR *d = opendir(folder);
    int entries = 0;
    while (readdir(d)) entries++;
    closedir(d);
    printf("%d\n", entries);
    unlink(path);
    printf("%d", rmdir(folder));
    printf(" %d\n", access(folder, F_OK));
    setvbuf(stdout, 0, _IOFBF, 100);
    puts("end");
    return 0;
}
