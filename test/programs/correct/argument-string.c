// Compares an option's tail after a look at its length.
// args: -o
// native: none (the argument area has no redzones natively)
// stdout: -o 0
#include <stdio.h>
#include <string.h>

static int is_output_option(const char *argument)
{
    return strlen(argument) > 3 && argument[0] == '-' && argument[1] == 'o' && argument[3] == 'x';
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        printf("%s %d\n", argv[i], is_output_option(argv[i]));
    return 0;
}
