// A recursive descent parser limits the nesting.
// stdout: 5
// stdout: -1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *at;

static int parse(int depth)
{
    char seen[64];
    int n = 0;
    if (depth > 100)
        return -1;
    while (*at == '(') {
        at++;
        int inner = parse(depth + 1);
        if (inner < 0)
            return inner;
        seen[n++ % 64] = inner % 100;
        if (*at == ')')
            at++;
    }
    return n ? seen[0] + n + (depth & 1) : 1;
}

int main(void)
{
    size_t nesting = 2000000;
    char *text = malloc(nesting + 1);
    memset(text, '(', nesting);
    text[nesting] = 0;
    at = "(()())";
    printf("%d\n", parse(0));
    at = text;
    printf("%d\n", parse(0));
    free(text);
    return 0;
}
