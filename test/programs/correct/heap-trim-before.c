// Trims trailing blanks.
// args: "a b  " "   "
// stdout: [a b]
// stdout: []
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *trim(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    memcpy(copy, text, size);
    char *end = copy + size - 1;
    while (end > copy && end[-1] == ' ')
        end--;
    *end = 0;
    return copy;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char *t = trim(argv[i]);
        printf("[%s]\n", t);
        free(t);
    }
}
