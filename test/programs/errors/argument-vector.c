// Takes the value of the last option from behind the argument vector's end.
// args: -n 3 -w
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
    printf("%zu\n", strlen(value_of(argv, "-w"))); // expect: null-dereference read
    return 0;
}
