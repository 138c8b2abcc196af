// Refuses an argument that does not fit its path buffer.
// args: /some/where/that/does/not/fit
// stdout: too long
// exit: 1
#include <stdio.h>
#include <string.h>

static int base_name(const char *path)
{
    char copy[16];
    if (strlen(path) >= sizeof copy) {
        printf("too long\n");
        return 1;
    }
    strcpy(copy, path);
    char *slash = strrchr(copy, '/');
    printf("%s\n", slash ? slash + 1 : copy);
    return 0;
}

int main(int argc, char **argv)
{
    return argc > 1 ? base_name(argv[1]) : 2;
}
