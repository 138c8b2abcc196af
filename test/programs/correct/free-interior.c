// A tokenizer advances a second pointer.
// args: "a bb ccc"
// stdout: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count_words(const char *text)
{
    char *copy = strdup(text);
    int words = 0;
    for (char *p = copy; *p;) {
        size_t n = strcspn(p, " ");
        words += n > 0;
        p += n + (p[n] == ' ');
    }
    free(copy);
    return words;
}

int main(int argc, char **argv)
{
    printf("%d\n", count_words(argc > 1 ? argv[1] : ""));
    return 0;
}
