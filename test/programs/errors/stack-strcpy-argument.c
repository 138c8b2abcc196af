// Copies the program's argument into a fixed path buffer.
// args: /some/where/that/does/not/fit
#include <stdio.h>
#include <string.h>

static int base_name(const char *path)
{
    char copy[16];
    strcpy(copy, path); // expect: stack-buffer-overflow write
    char *slash = strrchr(copy, '/');
    printf("%s\n", slash ? slash + 1 : copy);
    return 0;
}

int main(int argc, char **argv)
{
    return argc > 1 ? base_name(argv[1]) : 2;
}
