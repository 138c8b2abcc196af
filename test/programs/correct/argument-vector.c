// Takes the value of an option if there is one.
// args: -n 3 -w
// stdout: 3
// stdout: 0
#include <stdio.h>
#include <string.h>

static const char *value_of(char **argv, const char *option)
{
    for (int i = 1; argv[i]; i++)
        if (strcmp(argv[i], option) == 0)
            return argv[i + 1];
    return "none";
}

int main(int argc, char **argv)
{
    (void)argc;
    printf("%s\n", value_of(argv, "-n"));
    const char *width = value_of(argv, "-w");
    printf("%zu\n", width ? strlen(width) : 0);
    return 0;
}
