/* Quotes, escapes and kinds of characters. */
#include <stdlib.h>
#include <string.h>

#include "larder.h"

/* The text between two quotes as a string of its own; NULL if it is not closed. */
char *unquote(const char *text) {
    size_t length = strlen(text);
    char *inner;

    if (text[0] != '"' || text[length - 1] != '"') return NULL;
    inner = malloc(length - 1);
    if (inner == NULL) return NULL;
    memcpy(inner, text + 1, length - 2);
    inner[length - 2] = '\0';
    return inner;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return 0;
}

/* Replaces \n, \t, \xHH and \\ in place. Returns -1 for an unknown escape. */
int unescape(char *text) {
    char *out = text;

    while (*text != '\0') {
        if (*text != '\\') {
            *out++ = *text++;
            continue;
        }
        text++;
        switch (*text) {
            case 'n': *out++ = '\n'; break;
            case 't': *out++ = '\t'; break;
            case '\\': *out++ = '\\'; break;
            case 'x':
                *out++ = (char)(hex_digit(text[1]) * 16 + hex_digit(text[2]));
                text += 2;
                break;
            default: return -1;
        }
        text++;
    }
    *out = '\0';
    return 0;
}

/* 0 control, 1 blank, 2 letter or digit, 3 everything else */
static const char kind_of[128] = {
    [9] = 1, [10] = 1, [32] = 1,
    [33] = 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
    [48] = 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3,
    [65] = 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3,
    [97] = 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3,
};

void count_kinds(const unsigned char *data, size_t size, unsigned counts[4]) {
    const char *text = (const char *)data;
    size_t i;

    memset(counts, 0, 4 * sizeof counts[0]);
    for (i = 0; i < size; i++) counts[(int)kind_of[(int)text[i]]]++;
}
