// A base64 encoder rounds its output up to whole groups.
// args: "any carnal pleas"
// stdout: YW55IGNhcm5hbCBwbGVhcw==
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static char *encode(const unsigned char *in, size_t n)
{
    char *out = malloc((n + 2) / 3 * 4 + 1), *o = out;
    for (size_t i = 0; i < n; i += 3) {
        unsigned left = n - i < 3 ? n - i : 3;
        unsigned group = in[i] << 16 | (left > 1 ? in[i + 1] << 8 : 0) | (left > 2 ? in[i + 2] : 0);
        for (unsigned k = 0; k < 4; k++)
            *o++ = k <= left ? alphabet[group >> (18 - 6 * k) & 63] : '=';
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
