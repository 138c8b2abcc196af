// Upper-cases a word into a copy.
// args: tangent
// stdout: TANGENT
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *upper(const char *word)
{
    size_t length = strlen(word);
    char *copy = malloc(length + 1);
    size_t i;
    for (i = 0; i < length; i++)
        copy[i] = toupper((unsigned char)word[i]);
    copy[i] = '\0';
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
