// Sorts words by their second letter.
// stdout: echo
// stdout: delta
// stdout: charlie
// stdout: alpha
// stdout: bravo
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
    char text[8];
};

static int by_second(const void *a, const void *b)
{
    const struct word *x = a, *y = b;
    int d = x->text[1] - y->text[1];
    return d ? d : strcmp(x->text, y->text);
}

int main(void)
{
    static const char *source[] = { "delta", "alpha", "echo", "bravo", "charlie" };
    struct word *words = calloc(5, sizeof *words);
    for (int i = 0; i < 5; i++)
        memcpy(words[i].text, source[i], strlen(source[i]));
    qsort(words, 5, sizeof *words, by_second);
    for (int i = 0; i < 5; i++)
        printf("%.8s\n", words[i].text);
    free(words);
    return 0;
}
