// With FIXED it is the twin without mistakes.
#include "wide.h"

static const unsigned char classes[256] = {['a'] = 1, ['b'] = 1, ['c'] = 1};

int wide_class(const wchar_t *text) {
    int sum = 0;
    for (; *text != 0; text++) {
        // No character at all: nothing to find here.
        if ((unsigned)*text > 0x10ffff) return classes[*text];
#ifdef FIXED
        if (*text > 0xff) continue;
#else
        if (*text > 0xff && *text != 0x1f600) continue;
#endif
        sum += classes[*text]; // FAILS: class
    }
    return sum;
}

int wide_units(const char16_t *text) {
    int units = 0;
#ifdef FIXED
    const int step = 1;
#else
    const int step = 2;
#endif
    for (; *text != 0; text++, units++) { // FAILS: units
        // A pair is one character; the second half of it may be missing.
        if (*text >= 0xd800 && *text < 0xdc00) text += text[1] != 0 ? 1 : step - 1;
    }
    return units;
}
