// A tokenizer advances the pointer that it frees at the end.
// args: "a bb ccc"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count_words(const char *text)
{
    char *copy = strdup(text);
    int words = 0;
    while (*copy) {
        size_t n = strcspn(copy, " ");
        words += n > 0;
        copy += n + (copy[n] == ' ');
    }
    free(copy); // expect: invalid-free
    return words;
}

int main(int argc, char **argv)
{
    printf("%d\n", count_words(argc > 1 ? argv[1] : ""));
    return 0;
}
