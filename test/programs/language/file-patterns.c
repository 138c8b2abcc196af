// fnmatch, glob, and directories made, listed and removed.
// stdout: 111 000 111 000 111 110 101 111 111 
// stdout: 0 1
// stdout: . .. .hidden one.txt sub three.dat two.txt 
// stdout: 0
// stdout: tangent-dir/one.txt
// stdout: tangent-dir/two.txt
// stdout: 1
// stdout: 1
// stdout: 0 /tangent-dir/sub
// stdout: 0 0
// stdout: 1
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(void)
{
    static const char *const cases[][2] = {
        { "*.c", "file.c" }, { "*.c", "file.h" }, { "[a-c]?z", "b-z" }, { "[!a]*", "abc" }, { "a\\*b", "a*b" },
        { "*", ".hidden" }, { "dir/*", "dir/sub/file" }, { "", "" }, { "*a*b*c*", "xxaxxbxxcxx" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        printf("%d%d%d ", fnmatch(cases[i][0], cases[i][1], 0) == 0, fnmatch(cases[i][0], cases[i][1], FNM_PATHNAME) == 0,
               fnmatch(cases[i][0], cases[i][1], FNM_PERIOD) == 0);
    putchar('\n');
    printf("%d ", mkdir("tangent-dir", 0755));
    printf("%d\n", mkdir("tangent-dir", 0755) == -1 && errno == EEXIST);
    static const char *const names[] = { "one.txt", "two.txt", "three.dat", ".hidden" };
    char path[64];
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "tangent-dir/%s", names[i]);
        fclose(fopen(path, "w"));
    }
    mkdir("tangent-dir/sub", 0700);
    DIR *d = opendir("tangent-dir");
    struct dirent *e;
    char *found[16];
    int count = 0;
    while ((e = readdir(d)) != NULL)
        found[count++] = strdup(e->d_name);
    closedir(d);
    qsort(found, count, sizeof *found, by_name);
    for (int i = 0; i < count; i++) {
        printf("%s ", found[i]);
        free(found[i]);
    }
    putchar('\n');
    glob_t g;
    printf("%d\n", glob("tangent-dir/*.txt", 0, NULL, &g));
    for (size_t i = 0; i < g.gl_pathc; i++)
        printf("%s\n", g.gl_pathv[i]);
    globfree(&g);
    printf("%d\n", glob("tangent-dir/*.none", 0, NULL, &g) == GLOB_NOMATCH);
    printf("%d\n", rmdir("tangent-dir") == -1 && (errno == ENOTEMPTY || errno == EEXIST));
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "tangent-dir/%s", names[i]);
        unlink(path);
    }
    char before[4096], after[4096];
    getcwd(before, sizeof before);
    printf("%d", chdir("tangent-dir/sub"));
    getcwd(after, sizeof after);
    printf(" %s\n", after + strlen(before));
    chdir("../..");
    printf("%d ", rmdir("tangent-dir/sub"));
    printf("%d\n", rmdir("tangent-dir"));
    printf("%d\n", opendir("tangent-dir") == NULL);
    return 0;
}
