/* The exact functions of math.h for the 80-bit long double. Arithmetic on it is done in software here, so these work on its
   parts: 64 bits of significand, of which those below the binary point are cut off. */
#include <limits.h>
#include <math.h>
#include <stdint.h>

#define BIAS 16383
#define TOP (1ull << 63)

union parts {
    long double value;
    struct {
        uint64_t significand;
        uint16_t sign_exponent;
    };
};

static inline int exponent_of(union parts x) {
    return (x.sign_exponent & 0x7fff) - BIAS;
}

long double fabsl(long double x) {
    union parts pun = {x};
    pun.sign_exponent &= 0x7fff;
    return pun.value;
}

long double copysignl(long double x, long double y) {
    union parts a = {x}, b = {y};
    a.sign_exponent = (a.sign_exponent & 0x7fff) | (b.sign_exponent & 0x8000);
    return a.value;
}

/* Rounds to a whole number, away from zero if more than `limit` (in units of 2^-64, 0 being "anything") is cut off. */
enum direction { TOWARDS_ZERO, AWAY_FROM_ZERO, NEAREST_AWAY };

static long double whole(long double x, enum direction direction) {
    union parts pun = {x};
    int exponent = exponent_of(pun), up;
    if (exponent >= 63) return exponent == BIAS + 1 ? x + x : x;
    if (exponent < 0) {
        if (pun.significand == 0) return x;
        up = direction == AWAY_FROM_ZERO || (direction == NEAREST_AWAY && exponent == -1);
        pun.significand = up ? TOP : 0;
        pun.sign_exponent = (pun.sign_exponent & 0x8000) | (up ? BIAS : 0);
        return pun.value;
    }
    uint64_t unit = TOP >> exponent, cut = pun.significand & (unit - 1);
    if (cut == 0) return x;
    up = direction == AWAY_FROM_ZERO || (direction == NEAREST_AWAY && cut >= unit >> 1);
    pun.significand -= cut;
    if (up && __builtin_add_overflow(pun.significand, unit, &pun.significand)) {
        pun.significand = TOP;
        pun.sign_exponent++;
    }
    return pun.value;
}

static inline int is_negative(long double x) {
    union parts pun = {x};
    return pun.sign_exponent >> 15;
}

long double truncl(long double x) {
    return whole(x, TOWARDS_ZERO);
}
long double floorl(long double x) {
    return whole(x, is_negative(x) ? AWAY_FROM_ZERO : TOWARDS_ZERO);
}
long double ceill(long double x) {
    return whole(x, is_negative(x) ? TOWARDS_ZERO : AWAY_FROM_ZERO);
}
long double roundl(long double x) {
    return whole(x, NEAREST_AWAY);
}

long double sqrtl(long double x) {
    return __builtin_sqrtl(x);
}
long double fmodl(long double x, long double y) {
    return __builtin_fmodl(x, y);
}

long double fminl(long double x, long double y) {
    if (x != x) return y;
    if (y != y) return x;
    if (is_negative(x) != is_negative(y)) return is_negative(x) ? x : y;
    return x < y ? x : y;
}
long double fmaxl(long double x, long double y) {
    if (x != x) return y;
    if (y != y) return x;
    if (is_negative(x) != is_negative(y)) return is_negative(x) ? y : x;
    return x < y ? y : x;
}

long double nanl(const char *tag) {
    (void)tag;
    return __builtin_nanl("");
}

long double modfl(long double x, long double *integer) {
    long double cut = whole(x, TOWARDS_ZERO);
    *integer = cut;
    return copysignl(__builtin_isinf(x) ? 0 : x - cut, x);
}

long double frexpl(long double x, int *exponent) {
    union parts pun = {x};
    int field = pun.sign_exponent & 0x7fff;
    *exponent = 0;
    if (field == 0x7fff || pun.significand == 0) return x;
    if (field == 0) {
        int shift = __builtin_clzll(pun.significand);
        pun.significand <<= shift;
        field = 1 - shift;
    }
    *exponent = field - (BIAS - 1);
    pun.sign_exponent = (pun.sign_exponent & 0x8000) | (BIAS - 1);
    return pun.value;
}

int ilogbl(long double x) {
    int exponent;
    if (x == 0 || x != x) return INT_MIN;
    if (__builtin_isinf(x)) return INT_MAX;
    frexpl(x, &exponent);
    return exponent - 1;
}

long lrintl(long double x) {
    return (long)rintl(x);
}
long long llrintl(long double x) {
    return (long long)rintl(x);
}
