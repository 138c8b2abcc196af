/* Finding bytes in memory and strings. All are one scan (scan.h), except those that look for the last one: they run
   backwards over a range whose end is known. memchr reads no further than what it finds, as C says; memrchr is given
   an object of that size. */
#include "scan.h"

#include <string.h>

size_t strlen(const char *s) {
    return scan((uint64_t)s, ~0ull, 0, 0) - (uint64_t)s;
}

size_t strnlen(const char *s, size_t limit) {
    return scan((uint64_t)s, end_of_range(s, limit), 0, 0) - (uint64_t)s;
}

void *memchr(const void *s, int c, size_t size) {
    uint64_t end = end_of_range(s, size), found = scan((uint64_t)s, end, (unsigned char)c, 0);
    return found == end ? 0 : (void *)found;
}

char *strchrnul(const char *s, int c) {
    return (char *)scan((uint64_t)s, ~0ull, (unsigned char)c, 1);
}

char *__strchrnul(const char *s, int c) {
    return (char *)scan((uint64_t)s, ~0ull, (unsigned char)c, 1);
}

char *strchr(const char *s, int c) {
    char *found = (char *)scan((uint64_t)s, ~0ull, (unsigned char)c, 1);
    return *(unsigned char *)found == (unsigned char)c ? found : 0;
}

char *index(const char *s, int c) {
    return strchr(s, c);
}

static void *scan_back(const void *s, unsigned char byte, size_t size) {
    uint64_t from = (uint64_t)s, end = end_of_range(s, size), pattern = byte * ONES;
    if (__tangent_shadow(byte)) {
        while (end > from)
            if (checked_byte(--end) == byte) return (void *)end;
        return 0;
    }
    while (end > from) {
        uint64_t granule = (end - 1) & ~7ull;
        unsigned known = granule >> 32 ? 0 : __tangent_known((unsigned)granule), used = (unsigned)(end - granule);
        if (known >= used) {
            uint64_t hits = all_zeros(__tangent_peek((unsigned)granule) ^ pattern) & first_bytes(used);
            if (granule < from) hits &= ~first_bytes((unsigned)(from - granule));
            if (hits) return (void *)(granule + 7 - ((unsigned)__builtin_clzll(hits) >> 3));
            end = granule;
        } else {
            if (checked_byte(--end) == byte) return (void *)end;
        }
    }
    return 0;
}

void *memrchr(const void *s, int c, size_t size) {
    __tangent_read_range((uint64_t)s, size);
    return scan_back(s, (unsigned char)c, size);
}

void *__memrchr(const void *s, int c, size_t size) {
    return memrchr(s, c, size);
}

char *strrchr(const char *s, int c) {
    return scan_back(s, (unsigned char)c, strlen(s) + 1);
}

char *rindex(const char *s, int c) {
    return strrchr(s, c);
}
