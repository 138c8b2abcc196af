/* Comparing memory and strings, up to eight bytes at a time where both sides are known. Only what decides is read: a range
   that ends too early is no error if a difference comes before its end. Results are the native libc's: a difference of
   bytes for memcmp, -1, 0 or 1 for strings. */
#include "scan.h"

#include <ctype.h>
#include <locale.h>
#include <string.h>
#include <strings.h>

/* The first of the `run` bytes in which a and b differ; equal words never come here. */
static inline int byte_difference(uint64_t a, uint64_t b) {
    unsigned shift = byte_index(a ^ b) * 8;
    return (int)(a >> shift & 255) - (int)(b >> shift & 255);
}

int memcmp(const void *left, const void *right, size_t size) {
    uint64_t a = (uint64_t)left, b = (uint64_t)right;
    while (size) {
        unsigned run = known_run(a), other = known_run(b);
        if (other < run) run = other;
        if (run > size) run = (unsigned)size;
        if (run) {
            uint64_t mask = first_bytes(run), x = load_run(a, run) & mask, y = load_run(b, run) & mask;
            if (x != y) return byte_difference(x, y);
        } else {
            int x = checked_byte(a), y = checked_byte(b);
            if (x != y) return x - y;
            run = 1;
        }
        a += run;
        b += run;
        size -= run;
    }
    return 0;
}

int bcmp(const void *left, const void *right, size_t size) {
    return memcmp(left, right, size);
}

/* -1, 0 or 1. */
ALWAYS_INLINE int order(int difference) {
    return difference >> 31 | (int)((unsigned)-difference >> 31);
}

ALWAYS_INLINE int compare(const char *left, const char *right, size_t limit) {
    uint64_t a = (uint64_t)left, b = (uint64_t)right;
    while (limit) {
        unsigned run = known_run(a), other = known_run(b);
        if (other < run) run = other;
        if (run > limit) run = (unsigned)limit;
        if (run) {
            uint64_t x = load_run(a, run), y = load_run(b, run);
            uint64_t decides = ((x ^ y) | first_zero(x)) & first_bytes(run);
            if (decides) {
                unsigned shift = byte_index(decides) * 8;
                return order((int)(x >> shift & 255) - (int)(y >> shift & 255));
            }
        } else {
            int x = checked_byte(a), y = checked_byte(b);
            if (x != y || x == 0) return order(x - y);
            run = 1;
        }
        a += run;
        b += run;
        limit -= run;
    }
    return 0;
}

int strcmp(const char *left, const char *right) {
    return compare(left, right, ~(size_t)0);
}

int strncmp(const char *left, const char *right, size_t limit) {
    return compare(left, right, limit);
}

int strcoll(const char *left, const char *right) {
    return strcmp(left, right);
}

int __strcoll_l(const char *left, const char *right, locale_t locale) {
    (void)locale;
    return strcmp(left, right);
}

int strcoll_l(const char *left, const char *right, locale_t locale) {
    (void)locale;
    return strcmp(left, right);
}

size_t strxfrm(char *restrict destination, const char *restrict source, size_t limit) {
    size_t length = strlen(source);
    if (length < limit) strcpy(destination, source);
    return length;
}

size_t __strxfrm_l(char *restrict destination, const char *restrict source, size_t limit, locale_t locale) {
    (void)locale;
    return strxfrm(destination, source, limit);
}

size_t strxfrm_l(char *restrict destination, const char *restrict source, size_t limit, locale_t locale) {
    (void)locale;
    return strxfrm(destination, source, limit);
}

ALWAYS_INLINE int lower(int c) {
    return (unsigned)c - 'A' < 26 ? c | 32 : c;
}

int strncasecmp(const char *left, const char *right, size_t limit) {
    const unsigned char *a = (const unsigned char *)left, *b = (const unsigned char *)right;
    for (; limit; limit--, a++, b++) {
        int x = lower(*a), y = lower(*b);
        if (x != y || x == 0) return order(x - y);
    }
    return 0;
}

int strcasecmp(const char *left, const char *right) {
    return strncasecmp(left, right, ~(size_t)0);
}

int __strcasecmp_l(const char *left, const char *right, locale_t locale) {
    (void)locale;
    return strcasecmp(left, right);
}

int strcasecmp_l(const char *left, const char *right, locale_t locale) {
    (void)locale;
    return strcasecmp(left, right);
}

int __strncasecmp_l(const char *left, const char *right, size_t limit, locale_t locale) {
    (void)locale;
    return strncasecmp(left, right, limit);
}

int strncasecmp_l(const char *left, const char *right, size_t limit, locale_t locale) {
    (void)locale;
    return strncasecmp(left, right, limit);
}
