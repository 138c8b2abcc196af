// Replaces "&" by "&amp;" in a copy that has room for all replacements.
// args: "a & b & c"
// stdout: a &amp; b &amp; c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *escape(const char *text)
{
    size_t extra = 4;
    for (const char *p = text; (p = strchr(p, '&')) != NULL; p++)
        extra += 4;
    char *result = malloc(strlen(text) + extra + 1), *out = result;
    while (*text) {
        if (*text == '&') {
            memcpy(out, "&amp;", 5);
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
