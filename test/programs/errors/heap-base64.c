// A base64 encoder sizes its output as 4/3 of the input and forgets the rounding.
// args: "any carnal pleas"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static char *encode(const unsigned char *in, size_t n)
{
    char *out = malloc(n * 4 / 3 + 1), *o = out;
    for (size_t i = 0; i < n; i += 3) {
        unsigned left = n - i < 3 ? n - i : 3;
        unsigned group = in[i] << 16 | (left > 1 ? in[i + 1] << 8 : 0) | (left > 2 ? in[i + 2] : 0);
        for (unsigned k = 0; k < 4; k++)
            *o++ = k <= left ? alphabet[group >> (18 - 6 * k) & 63] : '='; // expect: heap-buffer-overflow write
    }
    *o = 0;
    return out;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    char *text = encode((unsigned char *)argv[1], strlen(argv[1]));
    puts(text);
    free(text);
    return 0;
}
