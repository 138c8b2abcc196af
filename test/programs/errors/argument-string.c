// Compares an option's tail without noticing that the option is shorter.
// args: -o
// native: none (the argument area has no redzones natively)
#include <stdio.h>
#include <string.h>

static int is_output_option(const char *argument)
{
    return argument[0] == '-' && argument[1] == 'o' && argument[3] == 'x'; // expect: argument-overflow|stack-buffer-overflow|global-buffer-overflow|wild-access read
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        printf("%s %d\n", argv[i], is_output_option(argv[i]));
    return 0;
}
