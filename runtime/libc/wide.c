/* Strings and arrays of wide characters. They are rare: plain loops. */
#define _GNU_SOURCE
#include <tangent/peek.h>

#include <string.h>
#include <wchar.h>

wchar_t *wmemcpy(wchar_t *restrict d, const wchar_t *restrict s, size_t n) {
    return memcpy(d, s, n * sizeof *d);
}
wchar_t *wmemmove(wchar_t *d, const wchar_t *s, size_t n) {
    return memmove(d, s, n * sizeof *d);
}
wchar_t *wmemset(wchar_t *d, wchar_t c, size_t n) {
    for (size_t i = 0; i < n; i++) d[i] = c;
    return d;
}
int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n) {
    size_t size = n > ~(size_t)0 / sizeof *a ? ~(size_t)0 : n * sizeof *a;
    __tangent_read_range((uint64_t)a, size);
    __tangent_read_range((uint64_t)b, size);
    for (; n; n--, a++, b++)
        if (*a != *b) return *a < *b ? -1 : 1;
    return 0;
}
wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n) {
    for (; n; n--, s++)
        if (*s == c) return (wchar_t *)s;
    return 0;
}

size_t wcslen(const wchar_t *s) {
    size_t n = 0;
    while (s[n]) n++;
    return n;
}
size_t wcsnlen(const wchar_t *s, size_t limit) {
    size_t n = 0;
    while (n < limit && s[n]) n++;
    return n;
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n) {
    for (; n; n--, a++, b++) {
        if (*a != *b) return *a < *b ? -1 : 1;
        if (!*a) return 0;
    }
    return 0;
}
int wcscmp(const wchar_t *a, const wchar_t *b) {
    return wcsncmp(a, b, ~(size_t)0);
}

wchar_t *wcpcpy(wchar_t *restrict d, const wchar_t *restrict s) {
    while ((*d = *s)) d++, s++;
    return d;
}
wchar_t *wcscpy(wchar_t *restrict d, const wchar_t *restrict s) {
    wcpcpy(d, s);
    return d;
}
wchar_t *wcpncpy(wchar_t *restrict d, const wchar_t *restrict s, size_t n) {
    size_t length = wcsnlen(s, n);
    for (size_t i = 0; i < length; i++) d[i] = s[i];
    for (size_t i = length; i < n; i++) d[i] = 0;
    return d + length;
}
wchar_t *wcsncpy(wchar_t *restrict d, const wchar_t *restrict s, size_t n) {
    wcpncpy(d, s, n);
    return d;
}
wchar_t *wcscat(wchar_t *restrict d, const wchar_t *restrict s) {
    wcpcpy(d + wcslen(d), s);
    return d;
}
wchar_t *wcsncat(wchar_t *restrict d, const wchar_t *restrict s, size_t n) {
    wchar_t *end = d + wcslen(d);
    for (; n && *s; n--) *end++ = *s++;
    *end = 0;
    return d;
}

wchar_t *wcschr(const wchar_t *s, wchar_t c) {
    for (;; s++) {
        if (*s == c) return (wchar_t *)s;
        if (!*s) return 0;
    }
}
wchar_t *wcsrchr(const wchar_t *s, wchar_t c) {
    const wchar_t *found = 0;
    do {
        if (*s == c) found = s;
    } while (*s++);
    return (wchar_t *)found;
}

/* Zero is in no set. */
static int in_set(wchar_t c, const wchar_t *set) {
    return c && wcschr(set, c);
}
size_t wcsspn(const wchar_t *s, const wchar_t *accept) {
    size_t n = 0;
    while (in_set(s[n], accept)) n++;
    return n;
}
size_t wcscspn(const wchar_t *s, const wchar_t *reject) {
    size_t n = 0;
    while (s[n] && !in_set(s[n], reject)) n++;
    return n;
}
wchar_t *wcspbrk(const wchar_t *s, const wchar_t *accept) {
    s += wcscspn(s, accept);
    return *s ? (wchar_t *)s : 0;
}

wchar_t *wcstok(wchar_t *restrict s, const wchar_t *restrict separators, wchar_t **restrict state) {
    wchar_t *end;
    if (!s) s = *state;
    if (!s) return 0;
    s += wcsspn(s, separators);
    if (!*s) {
        *state = 0;
        return 0;
    }
    end = s + wcscspn(s, separators);
    if (*end) {
        *end = 0;
        *state = end + 1;
    } else {
        *state = 0;
    }
    return s;
}

wchar_t *wcsstr(const wchar_t *restrict haystack, const wchar_t *restrict needle) {
    size_t length = wcslen(needle);
    if (length == 0) return (wchar_t *)haystack;
    while ((haystack = wcschr(haystack, *needle))) {
        if (wcsncmp(haystack, needle, length) == 0) return (wchar_t *)haystack;
        haystack++;
    }
    return 0;
}
wchar_t *wcswcs(const wchar_t *haystack, const wchar_t *needle) {
    return wcsstr(haystack, needle);
}
