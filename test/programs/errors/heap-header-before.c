// A length-prefixed string keeps its length before the text, but the allocation forgets the prefix.
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
    pstring s = malloc(n + 1);
    strcpy(s, text);
    *length_of(s) = n; // expect: heap-buffer-overflow write
    return s;
}

int main(void)
{
    pstring s = pstring_new("prefix");
    printf("%s has %u\n", s, *length_of(s));
    free(length_of(s));
    return 0;
}
