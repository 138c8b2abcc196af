// Replaces "&" by "&amp;" in a copy that has room for one replacement.
// args: "a & b & c"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *escape(const char *text)
{
    size_t extra = 4;
    char *result = malloc(strlen(text) + extra + 1), *out = result;
    while (*text) {
        if (*text == '&') {
            memcpy(out, "&amp;", 5); // expect: heap-buffer-overflow write
            out += 5;
            text++;
        } else {
            *out++ = *text++;
        }
    }
    *out = 0;
    return result;
}

int main(int argc, char **argv)
{
    char *s = escape(argc > 1 ? argv[1] : "&");
    puts(s);
    free(s);
    return 0;
}
