// A length-prefixed string keeps its length before the text.
// stdout: prefix has 6
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef char *pstring;

static uint32_t *length_of(pstring s)
{
    return (uint32_t *)s - 1;
}

static pstring pstring_new(const char *text)
{
    size_t n = strlen(text);
    uint32_t *block = malloc(sizeof(uint32_t) + n + 1);
    pstring s = (char *)(block + 1);
    strcpy(s, text);
    *length_of(s) = n;
    return s;
}

int main(void)
{
    pstring s = pstring_new("prefix");
    printf("%s has %u\n", s, *length_of(s));
    free(length_of(s));
    return 0;
}
