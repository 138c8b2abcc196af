// Files written and read back: modes, seeking, ungetc, buffering, append, update, rename, remove, errors.
// stdout: 35
// stdout: > line 0
// stdout: > line 1
// stdout: > line 2
// stdout: > line 3
// stdout: > line 4
// stdout: 7 line 4
// stdout: lLi
// stdout: -1 1
// stdout: 1 0
// stdout: 0
// stdout: > line 0
// stdout: > LINE 1
// stdout: > line 2
// stdout: > line 3
// stdout: > line 4
// stdout: > appended
// stdout: 0 44 1
// stdout: 0 -1
// stdout: 1000 509224308
// stdout: 0 -1
// stdout: 1
// stdout: 2 42 temporary
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "tangent-stdio-files.txt"

static void show(const char *name)
{
    char line[64];
    FILE *f = fopen(name, "r");
    while (f && fgets(line, sizeof line, f))
        printf("> %s", line);
    if (f)
        fclose(f);
}

int main(void)
{
    FILE *f = fopen(NAME, "w");
    for (int i = 0; i < 5; i++)
        fprintf(f, "line %d\n", i);
    printf("%ld\n", ftell(f));
    fclose(f);
    show(NAME);
    f = fopen(NAME, "r+");
    fseek(f, 7, SEEK_SET);
    fputs("LINE", f);
    fseek(f, -7, SEEK_END);
    char tail[8] = "";
    printf("%zu ", fread(tail, 1, 7, f));
    printf("%s", tail);
    rewind(f);
    int c = fgetc(f);
    ungetc('L', f);
    printf("%c%c", c, fgetc(f));
    printf("%c\n", fgetc(f));
    printf("%d ", fseek(f, -100, SEEK_SET));
    printf("%d\n", errno == EINVAL);
    while (fgetc(f) != EOF)
        ;
    printf("%d %d\n", feof(f) != 0, ferror(f) != 0);
    clearerr(f);
    printf("%d\n", feof(f));
    fclose(f);
    f = fopen(NAME, "a");
    fputs("appended\n", f);
    fclose(f);
    show(NAME);
    struct stat st;
    printf("%d ", stat(NAME, &st));
    printf("%lld %d\n", (long long)st.st_size, S_ISREG(st.st_mode));
    printf("%d ", rename(NAME, NAME ".new"));
    printf("%d\n", access(NAME, F_OK));
    f = fopen(NAME ".new", "wb");
    setvbuf(f, NULL, _IOFBF, 16);
    for (int i = 0; i < 1000; i++)
        putc(i & 255, f);
    fflush(f);
    fclose(f);
    f = fopen(NAME ".new", "rb");
    unsigned char block[300];
    size_t n, total = 0;
    unsigned sum = 0;
    while ((n = fread(block, 1, sizeof block, f)) > 0) {
        total += n;
        for (size_t i = 0; i < n; i++)
            sum = sum * 7 + block[i];
    }
    printf("%zu %u\n", total, sum);
    fclose(f);
    printf("%d ", remove(NAME ".new"));
    printf("%d\n", remove(NAME ".new"));
    printf("%d\n", fopen(NAME, "r") == NULL && errno == ENOENT);
    f = tmpfile();
    fprintf(f, "%d %s", 42, "temporary");
    rewind(f);
    int value;
    char word[20];
    printf("%d ", fscanf(f, "%d %19s", &value, word));
    printf("%d %s\n", value, word);
    fclose(f);
    return 0;
}
