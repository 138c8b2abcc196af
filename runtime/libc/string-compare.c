/* Comparing memory and strings, up to eight bytes at a time where both sides are known. memcmp is given two objects of so
   many bytes, whatever of them decides: both are checked whole, as AddressSanitizer does. Of strings only what decides is
   read: one that has no end is no error if a difference comes first. Results are the native libc's: a difference of bytes
   for memcmp, -1, 0 or 1 for strings. */
#include "scan.h"

#include <tangent/machine.h>

#include <ctype.h>
#include <locale.h>
#include <string.h>
#include <strings.h>

/* Of the first byte in which the words differ. */
static inline int byte_difference(uint64_t a, uint64_t b) {
    unsigned shift = byte_index(a ^ b) * 8;
    return (int)(a >> shift & 255) - (int)(b >> shift & 255);
}

/* Both ranges are known: no more looks at the states. */
static int compare_known(unsigned a, unsigned b, unsigned size) {
    uint64_t x, y;
    for (; size >= 32; size -= 32, a += 32, b += 32)
        if ((__tangent_peek(a) ^ __tangent_peek(b)) | (__tangent_peek(a + 8) ^ __tangent_peek(b + 8)) |
            (__tangent_peek(a + 16) ^ __tangent_peek(b + 16)) | (__tangent_peek(a + 24) ^ __tangent_peek(b + 24)))
            break;
    for (; size >= 8; size -= 8, a += 8, b += 8) {
        x = __tangent_peek(a);
        y = __tangent_peek(b);
        if (x != y) return byte_difference(x, y);
    }
    if (size == 0) return 0;
    x = load_run(a, size) & first_bytes(size);
    y = load_run(b, size) & first_bytes(size);
    return x == y ? 0 : byte_difference(x, y);
}

int memcmp(const void *left, const void *right, size_t size) {
    uint64_t a = (uint64_t)left, b = (uint64_t)right;
    unsigned depends = __tangent_shadow(a) | __tangent_shadow(b) | __tangent_shadow(size);
    int known = !depends && __tangent_known_range(a, size) && __tangent_known_range(b, size);
    if (!known) {
        __tangent_read_range(a, size);
        __tangent_read_range(b, size);
        if (depends) known = __tangent_known_range(a, size) && __tangent_known_range(b, size);
    }
    if (known) return compare_known((unsigned)a, (unsigned)b, (unsigned)size);
    for (; size; size--, a++, b++) {
        int x = checked_byte(a), y = checked_byte(b);
        if (x != y) return x - y;
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
    uint64_t a = (uint64_t)left, b = (uint64_t)right, x, y, decides;
    while (limit) {
        unsigned run = 8;
        if (limit >= 8 && (a | b) >> 32 == 0 && __tangent_known_8((unsigned)a) && __tangent_known_8((unsigned)b)) {
            x = __tangent_peek((unsigned)a);
            y = __tangent_peek((unsigned)b);
            decides = (x ^ y) | first_zero(x);
        } else {
            unsigned other = known_run(b);
            run = known_run(a);
            if (other < run) run = other;
            if (run > limit) run = (unsigned)limit;
            if (run) {
                x = load_run(a, run);
                y = load_run(b, run);
                decides = ((x ^ y) | first_zero(x)) & first_bytes(run);
            } else {
                x = checked_byte(a);
                y = checked_byte(b);
                decides = x == y && x ? 0 : 1;
                run = 1;
            }
        }
        if (decides) {
            unsigned shift = byte_index(decides) * 8;
            return order((int)(x >> shift & 255) - (int)(y >> shift & 255));
        }
        a += run;
        b += run;
        limit -= run;
    }
    return 0;
}

/* All of both, as AddressSanitizer's strict_string_checks has it. */
static __attribute__((noinline)) void read_strings(const char *left, const char *right, size_t limit) {
    __tangent_read_string((uint64_t)left, limit);
    __tangent_read_string((uint64_t)right, limit);
}
ALWAYS_INLINE void be_strict(const char *left, const char *right, size_t limit) {
    if (__tangent_detectors() & TANGENT_DETECTS_STRICT_STRINGS) read_strings(left, right, limit);
}

int strcmp(const char *left, const char *right) {
    be_strict(left, right, ~(size_t)0);
    return compare(left, right, ~(size_t)0);
}

int strncmp(const char *left, const char *right, size_t limit) {
    be_strict(left, right, limit);
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
    be_strict(left, right, limit);
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
