// String functions against the plainest ones one can write, on blocks that end where the string ends, at all alignments.
#define _GNU_SOURCE
#include "check.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static size_t plain_length(const char *s) { size_t n = 0; while (s[n]) n++; return n; }
static const char *plain_find(const char *s, size_t n, int c)
{
    for (size_t i = 0; i < n; i++) if ((unsigned char)s[i] == c) return s + i;
    return NULL;
}
static const char *plain_find_last(const char *s, size_t n, int c)
{
    const char *found = NULL;
    for (size_t i = 0; i < n; i++) if ((unsigned char)s[i] == c) found = s + i;
    return found;
}
static int sign(int x) { return (x > 0) - (x < 0); }
static int plain_compare(const char *a, const char *b, size_t n, int stop, int fold)
{
    for (size_t i = 0; i < n; i++) {
        int x = (unsigned char)a[i], y = (unsigned char)b[i];
        if (fold) x = tolower(x), y = tolower(y);
        if (x != y) return sign(x - y);
        if (stop && !x) return 0;
    }
    return 0;
}
static const char *plain_substring(const char *s, const char *what, size_t size, size_t length)
{
    for (size_t i = 0; i + length <= size; i++)
        if (plain_compare(s + i, what, length, 0, 0) == 0) return s + i;
    return NULL;
}
static size_t plain_span(const char *s, const char *set, int in)
{
    size_t n = 0;
    while (s[n] && !plain_find(set, plain_length(set), (unsigned char)s[n]) != in) n++;
    return n;
}

/* A string of its own block, so that reading past its end would be seen. */
static char *make(int letters)
{
    size_t n = random_number() % (random_number() % 4 ? 20 : 200);
    char *s = malloc(n + 1);
    for (size_t i = 0; i < n; i++) s[i] = (char)(1 + random_number() % letters);
    s[n] = 0;
    return s;
}

static void look(const char *s, const char *t, int letters)
{
    size_t n = plain_length(s), m = plain_length(t), limit = random_number() % 40, both = n < m ? n : m;
    int c = random_number() % 8 ? 1 + (int)(random_number() % letters) : 0;
    CHECK(strlen(s) == n);
    CHECK(strnlen(s, limit) == (n < limit ? n : limit));
    CHECK(strchr(s, c) == plain_find(s, n + 1, c));
    CHECK(strrchr(s, c) == plain_find_last(s, n + 1, c));
    CHECK(strchrnul(s, c) == (plain_find(s, n, c) ? plain_find(s, n, c) : s + n));
    CHECK(memchr(s, c, limit < n ? limit : n) == plain_find(s, limit < n ? limit : n, c));
    CHECK(memchr(s, 0, n + 100) == s + n);
    CHECK(memrchr(s, c, limit < n ? limit : n) == plain_find_last(s, limit < n ? limit : n, c));
    CHECK(sign(strcmp(s, t)) == plain_compare(s, t, both + 1, 1, 0));
    CHECK(sign(strncmp(s, t, limit)) == plain_compare(s, t, limit < both + 1 ? limit : both + 1, 1, 0));
    CHECK(sign(strcasecmp(s, t)) == plain_compare(s, t, both + 1, 1, 1));
    CHECK(sign(memcmp(s, t, both)) == plain_compare(s, t, both, 0, 0));
    CHECK(strstr(s, t) == plain_substring(s, t, n, m));
    CHECK(memmem(s, n, t, m) == plain_substring(s, t, n, m));
    size_t start = n ? random_number() % n : 0, length = random_number() % 6;
    char *part = strndup(s + start, length);
    CHECK(strstr(s, part) == plain_substring(s, part, n, plain_length(part)));
    CHECK(strspn(s, part) == plain_span(s, part, 1));
    CHECK(strcspn(s, part) == plain_span(s, part, 0));
    CHECK(strpbrk(s, part) == (s[strcspn(s, part)] ? s + strcspn(s, part) : NULL));
    free(part);
}

static void copy(const char *s, const char *t)
{
    size_t n = plain_length(s), m = plain_length(t), size = random_number() % 40;
    char *d = malloc(n + m + 1);
    CHECK(strcpy(d, s) == d && plain_compare(d, s, n + 1, 0, 0) == 0);
    CHECK(strcat(d, t) == d && plain_compare(d + n, t, m + 1, 0, 0) == 0);
    CHECK(stpcpy(d, t) == d + m);
    free(d);
    d = malloc(size + 1);
    memset(d, 'x', size + 1);
    CHECK(stpncpy(d, s, size) == d + (n < size ? n : size));
    CHECK(d[size] == 'x' && plain_compare(d, s, n < size ? n : size, 0, 0) == 0);
    for (size_t i = n; i < size; i++) CHECK(d[i] == 0);
    if (size) {
        CHECK(strlcpy(d, s, size) == n && strlen(d) == (n < size ? n : size - 1));
        size_t before = strlen(d);
        CHECK(strlcat(d, t, size) == before + m && strlen(d) == (before + m < size ? before + m : size - 1));
    }
    free(d);
    d = malloc(n + size + 1);
    strcpy(d, s);
    CHECK(strncat(d, t, size) == d && strlen(d) == n + (m < size ? m : size));
    CHECK(memmove(d + (n ? 1 : 0), d, n) == d + (n ? 1 : 0));
    CHECK(plain_compare(d + (n ? 1 : 0), s, n, 0, 0) == 0);
    free(d);
}

int main(void)
{
    for (int round = 0; round < 3000; round++) {
        int letters = round % 3 == 0 ? 2 : round % 3 == 1 ? 5 : 254;
        char *a = make(letters), *b = round % 4 ? make(letters) : strdup(a);
        char *s = a + random_number() % (strlen(a) + 1), *t = b + random_number() % (strlen(b) + 1);
        if (round % 8 == 0) t = b + (s - a);
        look(s, t, letters);
        copy(s, t);
        free(a);
        free(b);
    }
    char words[] = "  one, two;three ", *state = words, *rest;
    CHECK(strcmp(strtok_r(state, " ,;", &rest), "one") == 0 && strcmp(strtok_r(NULL, " ,;", &rest), "two") == 0);
    CHECK(strcmp(strtok_r(NULL, " ,;", &rest), "three") == 0 && strtok_r(NULL, " ,;", &rest) == NULL);
    char fields[] = "a::b", *field = fields;
    CHECK(strcmp(strsep(&field, ":"), "a") == 0 && strcmp(strsep(&field, ":"), "") == 0);
    CHECK(strcmp(strsep(&field, ":"), "b") == 0 && strsep(&field, ":") == NULL);
    char target[4];
    CHECK(memccpy(target, "abc", 'b', 4) == target + 2 && memccpy(target, "abc", 'x', 4) == NULL);
    swab("abcd", target, 4);
    CHECK(memcmp(target, "badc", 4) == 0);
    CHECK(ffs(0) == 0 && ffs(6) == 2 && ffsl(1L << 40) == 41 && ffs(INT32_MIN) == 32);
    CHECK(tolower(EOF) == EOF && toupper('q') == 'Q' && !isalpha(EOF) && isspace('\v') && ispunct('~') && !isprint(127));
    return failures != 0;
}
