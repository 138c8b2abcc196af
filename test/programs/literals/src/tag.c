// With FIXED it is the twin without mistakes.
#include "tag.h"

int tag_read(const char *text, struct tag *out) {
    char name[24];
    int n = 0;
    while (text[n] != ':' && text[n] != 0) {
#ifdef FIXED
        if (n >= 23) return -1;
#endif
        name[n] = text[n]; // FAILS: longer
        n++;
    }
    name[n] = 0;
    out->length = n;
    out->first = name[0];
    return text[n] == ':';
}

int tag_words(const char *text, unsigned long size) {
    static const char ends[2] = {' ', 0};
    char last[1];
    last[0] = text[size];
    int words = ends[last[0] != 0 ? 2 : 1] + 1;
    for (unsigned long n = 0; n < size; n++) words += text[n] == ' ';
    return words;
}
