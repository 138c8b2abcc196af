// An optional buffer is released even when it is the one on the stack.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t expand(const char *text, int times)
{
    char small[32], *buffer = small;
    size_t n = strlen(text) * times + 1;
    if (n > sizeof small)
        buffer = malloc(n);
    buffer[0] = 0;
    while (times-- > 0)
        strcat(buffer, text);
    n = strlen(buffer);
    free(buffer); // expect: invalid-free
    return n;
}

int main(void)
{
    printf("%zu\n", expand("abcdefgh", 20));
    printf("%zu\n", expand("abc", 2));
    return 0;
}
