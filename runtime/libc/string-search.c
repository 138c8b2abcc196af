/* Substrings, sets of characters, tokens. A substring is looked for naively: its first byte by a fast scan, the rest by
   comparing. Set membership is four words in registers, one bit per character. */
#define _GNU_SOURCE
#include <tangent/peek.h>

#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

void *memmem(const void *haystack, size_t size, const void *needle, size_t length) {
    const char *at = haystack, *last = at + size - length;
    __tangent_read_range((uint64_t)haystack, size);
    __tangent_read_range((uint64_t)needle, length);
    if (length == 0) return (void *)at;
    if (size < length) return 0;
    while ((at = memchr(at, *(const unsigned char *)needle, (size_t)(last - at) + 1))) {
        if (memcmp(at, needle, length) == 0) return (void *)at;
        if (at++ == last) break;
    }
    return 0;
}

char *strstr(const char *haystack, const char *needle) {
    size_t length = strlen(needle);
    if (length == 0) return (char *)haystack;
    for (;;) {
        haystack = strchr(haystack, (unsigned char)*needle);
        if (!haystack) return 0;
        if (strncmp(haystack, needle, length) == 0) return (char *)haystack;
        haystack++;
    }
}

char *strcasestr(const char *haystack, const char *needle) {
    size_t length = strlen(needle);
    for (; *haystack; haystack++)
        if (strncasecmp(haystack, needle, length) == 0) return (char *)haystack;
    return length == 0 ? (char *)haystack : 0;
}

struct set {
    uint64_t words[4];
};

static inline void add(struct set *set, unsigned char c) {
    uint64_t bit = 1ull << (c & 63);
    unsigned word = c >> 6;
    set->words[0] |= word == 0 ? bit : 0;
    set->words[1] |= word == 1 ? bit : 0;
    set->words[2] |= word == 2 ? bit : 0;
    set->words[3] |= word == 3 ? bit : 0;
}

static inline int has(const struct set *set, unsigned char c) {
    uint64_t low = c & 64 ? set->words[1] : set->words[0], high = c & 64 ? set->words[3] : set->words[2];
    return (int)((c & 128 ? high : low) >> (c & 63)) & 1;
}

size_t strspn(const char *s, const char *accept) {
    struct set set = {{0}};
    const char *at = s;
    for (; *accept; accept++) add(&set, (unsigned char)*accept);
    /* Zero is in no set. */
    while (has(&set, (unsigned char)*at)) at++;
    return (size_t)(at - s);
}

size_t strcspn(const char *s, const char *reject) {
    struct set set = {{0}};
    const char *at = s;
    if (!reject[0] || !reject[1]) return (size_t)(strchrnul(s, (unsigned char)reject[0]) - s);
    for (; *reject; reject++) add(&set, (unsigned char)*reject);
    add(&set, 0);
    while (!has(&set, (unsigned char)*at)) at++;
    return (size_t)(at - s);
}

char *strpbrk(const char *s, const char *accept) {
    s += strcspn(s, accept);
    return *s ? (char *)s : 0;
}

char *strtok_r(char *restrict s, const char *restrict separators, char **restrict state) {
    char *end;
    if (!s) s = *state;
    if (!s) return 0;
    s += strspn(s, separators);
    if (!*s) {
        *state = 0;
        return 0;
    }
    end = s + strcspn(s, separators);
    if (*end) {
        *end = 0;
        *state = end + 1;
    } else {
        *state = 0;
    }
    return s;
}

char *strtok(char *restrict s, const char *restrict separators) {
    static char *state;
    return strtok_r(s, separators, &state);
}

char *strsep(char **state, const char *separators) {
    char *s = *state, *end;
    if (!s) return 0;
    end = s + strcspn(s, separators);
    if (*end) {
        *end = 0;
        *state = end + 1;
    } else {
        *state = 0;
    }
    return s;
}
