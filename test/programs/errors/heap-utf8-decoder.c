// Decodes UTF-8 and trusts the lead byte of a character that is cut off.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char *decode(const unsigned char *p, const unsigned char *end, unsigned *code)
{
    int more = *p < 0x80 ? 0 : *p < 0xe0 ? 1 : *p < 0xf0 ? 2 : 3;
    *code = more ? *p & (0x3f >> more) : *p;
    (void)end;
    for (p++; more > 0; more--, p++)
        *code = *code << 6 | (*p & 0x3f); // expect: heap-buffer-overflow read
    return p;
}

int main(void)
{
    static const char text[] = "z\xc3\xa9\xe2\x82";
    size_t size = sizeof text - 1;
    unsigned char *copy = malloc(size);
    memcpy(copy, text, size);
    const unsigned char *p = copy;
    while (p < copy + size) {
        unsigned code;
        p = decode(p, copy + size, &code);
        printf("U+%04X\n", code);
    }
    free(copy);
    return 0;
}
