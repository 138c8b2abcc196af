/* Numbers with a fraction in text. Most are short: a few digits, a point, perhaps a small exponent. Those are an integer
   divided or multiplied by a power of ten, both of them exact, so that one operation rounds to the right result; and one
   operation is what symbolic execution can look through. All others are left to musl's scanner, which computes in long double
   and many steps.
   Up to four digits behind the point the result is musl's to the last bit; with more, musl may round twice and be off by a bit,
   as it is natively, so these are left to it. */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>

#include "floatscan.h"
#include "shgetc.h"
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

static long double scan(const char *text, char **end, int precision) {
    FILE source;
    sh_fromstring(&source, text);
    shlim(&source, 0);
    long double value = __floatscan(&source, precision, 1);
    off_t length = shcnt(&source);
    if (end) *end = (char *)text + length;
    return value;
}

double strtod(const char *restrict text, char **restrict end) {
    struct decimal number;
    if (!is_short(text, DOUBLE_DIGITS, &number)) return (double)scan(text, end, 1);
    if (end) *end = (char *)number.end;
    double value = (double)number.digits;
    value = number.exponent < 0 ? value / POWERS[-number.exponent] : value * POWERS[number.exponent];
    return number.minus ? -value : value;
}

float strtof(const char *restrict text, char **restrict end) {
    struct decimal number;
    /* Seven digits and the powers are exact in float. Products need not be looked at: they are rare. */
    if (!is_short(text, FLOAT_DIGITS, &number) || number.exponent > 0) return (float)scan(text, end, 0);
    if (end) *end = (char *)number.end;
    float value = (float)number.digits / (float)POWERS[-number.exponent];
    return number.minus ? -value : value;
}
