// Joins words with commas and counts the commas one short.
// args: one two three
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    size_t total = 0;
    for (int i = 1; i < argc; i++)
        total += strlen(argv[i]);
    char *joined = malloc(total + 1);
    joined[0] = 0;
    for (int i = 1; i < argc; i++) {
        if (i > 1)
            strcat(joined, ",");
        strcat(joined, argv[i]); // expect: heap-buffer-overflow write
    }
    puts(joined);
    free(joined);
    return 0;
}
