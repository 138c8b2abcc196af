// Joins words with commas.
// args: one two three
// stdout: one,two,three
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    size_t total = 0;
    for (int i = 1; i < argc; i++)
        total += strlen(argv[i]);
    char *joined = malloc(total + argc);
    joined[0] = 0;
    for (int i = 1; i < argc; i++) {
        if (i > 1)
            strcat(joined, ",");
        strcat(joined, argv[i]);
    }
    puts(joined);
    free(joined);
    return 0;
}
