// Keeps only the longest line of its input.
// stdout: 2999
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static size_t longest(int lines)
{
    size_t best = 0;
    char *copy = alloca(4096);
    for (int i = 0; i < lines; i++) {
        size_t n = 2000 + i % 1000;
        memset(copy, 'x', n);
        copy[n] = 0;
        if (strlen(copy) > best)
            best = strlen(copy);
    }
    return best;
}

int main(void)
{
    printf("%zu\n", longest(6000));
    return 0;
}
