// Upper-cases a word into a copy that has no room for the terminating zero.
// args: tangent
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *upper(const char *word)
{
    size_t length = strlen(word);
    char *copy = malloc(length + (length & 1 ? 0 : 1));
    size_t i;
    for (i = 0; i < length; i++)
        copy[i] = toupper((unsigned char)word[i]);
    copy[i] = '\0'; // expect: heap-buffer-overflow write
    return copy;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char *word = upper(argv[i]);
        puts(word);
        free(word);
    }
    return argc > 1 ? 0 : 2;
}
