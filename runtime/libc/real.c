/* Numbers with a fraction in text. Most are short: a few digits, a point, perhaps a small exponent. Those are an integer
   divided or multiplied by a power of ten, both of them exact, so that one operation rounds to the right result; and one
   operation is what symbolic execution can look through. All others are left to musl's scanner, which computes in long double
   and many steps.
   Up to four digits behind the point the result is musl's to the last bit; with more, musl may round twice and be off by a bit,
   as it is natively, so these are left to it. */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>

/* musl's scanner under another name. */
#define __floatscan __tangent_musl_floatscan
#include "floatscan.c"
#undef __floatscan

#include "stdio_impl.h"

static const double POWERS[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12};

struct decimal {
    uint64_t digits;
    /* Of ten. */
    int exponent;
    int minus;
    const char *end;
};

/* So many digits are exact in a double, and in a float. */
enum { DOUBLE_DIGITS = 15, FLOAT_DIGITS = 7, LEAST_EXPONENT = -4, LARGEST_EXPONENT = 12 };

/* Whether the number at `text` is short; anything that may not be one (a hexadecimal number, an infinity) is not. */
static int is_short(const char *text, int most, struct decimal *number) {
    const char *at = text;
    int seen = 0;
    while (isspace((unsigned char)*at)) at++;
    number->minus = *at == '-';
    if (*at == '-' || *at == '+') at++;
    number->digits = 0;
    number->exponent = 0;
    for (; *at >= '0' && *at <= '9'; at++, seen++) {
        if (seen == most) return 0;
        number->digits = number->digits * 10 + (uint64_t)(*at - '0');
    }
    if (seen == 1 && at[-1] == '0' && (*at | 32) == 'x') return 0;
    if (*at == '.') {
        for (at++; *at >= '0' && *at <= '9'; at++, seen++) {
            if (seen == most || number->exponent == LEAST_EXPONENT) return 0;
            number->digits = number->digits * 10 + (uint64_t)(*at - '0');
            number->exponent--;
        }
    }
    if (seen == 0) return 0;
    number->end = at;
    if ((*at | 32) != 'e') return 1;
    int down = at[1] == '-';
    if (at[1] == '-' || at[1] == '+') at++;
    /* No digit: the number ends before the letter. */
    if (at[1] < '0' || at[1] > '9') return 1;
    int power = at[1] - '0';
    at += 2;
    if (*at >= '0' && *at <= '9') power = power * 10 + (*at++ - '0');
    if (*at >= '0' && *at <= '9') return 0;
    number->exponent += down ? -power : power;
    number->end = at;
    return number->exponent >= LEAST_EXPONENT && number->exponent <= LARGEST_EXPONENT;
}

static double double_of(const struct decimal *number) {
    double value = (double)number->digits;
    value = number->exponent < 0 ? value / POWERS[-number->exponent] : value * POWERS[number->exponent];
    return number->minus ? -value : value;
}

/* Seven digits and the powers are exact in float. Products need not be looked at: they are rare. */
static int is_short_float(const char *text, struct decimal *number) {
    return is_short(text, FLOAT_DIGITS, number) && number->exponent <= 0;
}
static float float_of(const struct decimal *number) {
    float value = (float)number->digits / (float)POWERS[-number->exponent];
    return number->minus ? -value : value;
}

static long double scan(const char *text, char **end, int precision) {
    FILE source;
    sh_fromstring(&source, text);
    shlim(&source, 0);
    long double value = __tangent_musl_floatscan(&source, precision, 1);
    off_t length = shcnt(&source);
    if (end) *end = (char *)text + length;
    return value;
}

double strtod(const char *restrict text, char **restrict end) {
    struct decimal number;
    if (!is_short(text, DOUBLE_DIGITS, &number)) return (double)scan(text, end, 1);
    if (end) *end = (char *)number.end;
    return double_of(&number);
}

float strtof(const char *restrict text, char **restrict end) {
    struct decimal number;
    if (!is_short_float(text, &number)) return (float)scan(text, end, 0);
    if (end) *end = (char *)number.end;
    return float_of(&number);
}

/* What has been read of a stream before it was known that the number is not short. */
struct seen {
    FILE *stream;
    unsigned char text[32];
    int count, given;
    int ended;
};

/* A stream of these characters and of those that follow. */
static size_t give(FILE *whole, unsigned char *to, size_t length) {
    struct seen *seen = whole->cookie;
    int c = -1;
    if (length == 0) return 0;
    if (seen->given < seen->count)
        c = seen->text[seen->given];
    else if (!seen->ended)
        c = shgetc(seen->stream);
    if (c < 0) {
        seen->ended = 1;
        whole->flags |= F_EOF;
        return 0;
    }
    seen->given++;
    *to = (unsigned char)c;
    return 1;
}

static long double scan_again(struct seen *seen, int precision, int partial) {
    unsigned char room[2 * UNGET];
    FILE whole = {.buf = room + UNGET, .read = give, .cookie = seen, .lock = -1};
    shlim(&whole, 0);
    long double value = __tangent_musl_floatscan(&whole, precision, partial);
    /* What it has put back, or never asked for, goes back to where it comes from. */
    long back = (long)(whole.rend - whole.rpos) + (seen->given < seen->count ? seen->count - seen->given : 0);
    for (; back > 0; back--) shunget(seen->stream);
    if (shcnt(&whole) == 0) shlim(seen->stream, 0);
    return value;
}

/* scanf's way to a number. */
long double __floatscan(FILE *stream, int precision, int partial) {
    struct seen seen = {.stream = stream};
    struct decimal number;
    int c, digits = 0, points = 0, letters = 0;
    if (precision > 1) return __tangent_musl_floatscan(stream, precision, partial);
    while (isspace(c = shgetc(stream))) {
    }
    /* As long as it can be a short number. The character behind it is the last one here. */
    for (; c >= 0; c = shgetc(stream)) {
        unsigned char before = seen.count ? seen.text[seen.count - 1] : 'e';
        seen.text[seen.count++] = (unsigned char)c;
        if (c >= '0' && c <= '9')
            digits++;
        else if (c == '.' && !points && !letters)
            points++;
        else if ((c | 32) == 'e' && digits && !letters)
            letters++;
        else if (!((c == '-' || c == '+') && (before | 32) == 'e'))
            break;
        if (seen.count == sizeof seen.text - 1) {
            c = shgetc(stream);
            if (c >= 0) seen.text[seen.count++] = (unsigned char)c;
            break;
        }
    }
    if (c < 0) seen.ended = 1;
    int length = seen.count - (c >= 0);
    unsigned char next = seen.text[length];
    seen.text[length] = 0;
    const char *text = (const char *)seen.text;
    int is_known = precision == 0 ? is_short_float(text, &number) : is_short(text, DOUBLE_DIGITS, &number);
    if (is_known && number.end == text + length && (next | 32) != 'x') {
        if (c >= 0) shunget(stream);
        return precision == 0 ? (long double)float_of(&number) : (long double)double_of(&number);
    }
    if (c >= 0) seen.text[length] = next;
    return scan_again(&seen, precision, partial);
}
