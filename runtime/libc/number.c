/* Numbers in text. One function reads sign, prefix and digits of any base and says how large the value is allowed to be;
   the library's functions differ in that limit only. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

/* 0 to 35, or more if it is no digit in any base. */
static inline unsigned digit_value(unsigned char c) {
    unsigned value = c - '0';
    if (value < 10) return value;
    value = (c | 32u) - 'a';
    return value < 26 ? value + 10 : 99;
}

/* Saturates at `positive`, or at -`negative` if there is a minus sign; then *range is set. */
static uint64_t parse(const char *text, char **end, int base, uint64_t positive, uint64_t negative, int *range) {
    const char *at = text, *start;
    int minus = 0, over = 0;
    uint64_t value = 0, limit;
    *range = 0;
    if (end) *end = (char *)text;
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        return 0;
    }
    while (isspace((unsigned char)*at)) at++;
    if (*at == '-' || *at == '+') minus = *at++ == '-';
    if ((base == 0 || base == 16) && *at == '0' && (at[1] | 32) == 'x' && digit_value((unsigned char)at[2]) < 16) {
        at += 2;
        base = 16;
    } else if (base == 0) {
        base = *at == '0' ? 8 : 10;
    }
    for (start = at;; at++) {
        unsigned digit = digit_value((unsigned char)*at);
        if (digit >= (unsigned)base) break;
        /* Most numbers are short: up to here no digit of any base can overflow. */
        if (value < 1ull << 58)
            value = value * (unsigned)base + digit;
        else if (__builtin_mul_overflow(value, (uint64_t)base, &value) || __builtin_add_overflow(value, digit, &value))
            over = 1;
    }
    limit = minus ? negative : positive;
    if (over || value > limit) {
        *range = 1;
        value = limit;
    }
    if (end && at != start) *end = (char *)at;
    return minus ? -value : value;
}

static int64_t parse_signed(const char *text, char **end, int base) {
    int range;
    uint64_t value = parse(text, end, base, INT64_MAX, (uint64_t)INT64_MAX + 1, &range);
    if (range) errno = ERANGE;
    return (int64_t)value;
}

static uint64_t parse_unsigned(const char *text, char **end, int base) {
    int range;
    uint64_t value = parse(text, end, base, UINT64_MAX, UINT64_MAX, &range);
    if (!range) return value;
    errno = ERANGE;
    return UINT64_MAX;
}

#define SIGNED(name, type)                                                          \
    type name(const char *restrict text, char **restrict end, int base) {           \
        return parse_signed(text, end, base);                                       \
    }                                                                               \
    type __##name##_internal(const char *restrict text, char **restrict end, int base) { \
        return parse_signed(text, end, base);                                       \
    }
#define UNSIGNED(name, type)                                                        \
    type name(const char *restrict text, char **restrict end, int base) {           \
        return parse_unsigned(text, end, base);                                     \
    }                                                                               \
    type __##name##_internal(const char *restrict text, char **restrict end, int base) { \
        return parse_unsigned(text, end, base);                                     \
    }

SIGNED(strtol, long)
SIGNED(strtoll, long long)
SIGNED(strtoimax, intmax_t)
UNSIGNED(strtoul, unsigned long)
UNSIGNED(strtoull, unsigned long long)
UNSIGNED(strtoumax, uintmax_t)

/* These saturate silently: what they do then is not defined, and errno must stay. */
long atol(const char *text) {
    int range;
    return (long)parse(text, 0, 10, INT64_MAX, (uint64_t)INT64_MAX + 1, &range);
}

long long atoll(const char *text) {
    return atol(text);
}

int atoi(const char *text) {
    int range;
    return (int)parse(text, 0, 10, INT_MAX, (uint64_t)INT_MAX + 1, &range);
}
