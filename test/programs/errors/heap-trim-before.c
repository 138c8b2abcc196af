// Trims trailing blanks; an all-blank line takes the scan before the start of the copy.
// args: "a b  " "   "
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *trim(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    memcpy(copy, text, size);
    char *end = copy + size - 1;
    while (end[-1] == ' ') // expect: heap-buffer-overflow read
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
