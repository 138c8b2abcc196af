// Keeps every line of its input in alloca'ed space of one frame.
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static size_t longest(int lines) // expect-function: stack-overflow
{
    size_t best = 0;
    for (int i = 0; i < lines; i++) {
        size_t n = 2000 + i % 1000;
        char *copy = alloca(n + 1);
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
