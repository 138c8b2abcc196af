// With FIXED it is the twin without mistakes.
#include "pair.h"

#include <stdarg.h>
#include <stdio.h>

#ifdef FIXED
#define ROOM 20
#else
#define ROOM 2
#endif

static const unsigned char weights[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

int pair_parse(const char *text, struct pair *out) {
    int n = 0;
    for (; text[n] != '=' && text[n] != 0; n++) {
        if (n >= 7) return -1;
        out->key[n] = text[n];
    }
    out->key[n] = 0;
    if (text[n] == 0) return -1;
    const char *value = text + n + 1;
    if (value[0] == '<' && value[1] == '#') {
        char hidden[ROOM];
        for (int k = 0; k < 7 && value[k] != 0; k++) hidden[k] = value[k]; // FAILS
        out->value[0] = hidden[0];
        return 1;
    }
    int k = 0;
    for (; k < 7 && value[k] != 0; k++) out->value[k] = value[k];
    out->value[k] = 0;
    return 0;
}

int pair_sum(const unsigned char *bytes, int count) {
    int sum = 0;
    for (int n = 0; n < count; n++) {
#ifdef FIXED
        if (bytes[n] > 15) return -1;
#endif
        sum += weights[bytes[n]]; // FAILS
    }
    return sum;
}

int pair_log(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int result = vprintf(format, list);
    va_end(list);
    return result;
}
