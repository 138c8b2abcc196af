/* The functions of math.h that are exact, for float and double: each has one right result, so it matters only that they
   are fast. The roundings and the square root are single instructions of the machine. Those that approximate (sine,
   logarithm, ...) are the native libc's own (runtime/zig). */
#include <limits.h>
#include <math.h>
#include <stdint.h>

#define SAME_FOR(type, suffix)                                                                          \
    type floor##suffix(type x) {                                                                        \
        return __builtin_floor##suffix(x);                                                              \
    }                                                                                                   \
    type ceil##suffix(type x) {                                                                         \
        return __builtin_ceil##suffix(x);                                                               \
    }                                                                                                   \
    type trunc##suffix(type x) {                                                                        \
        return __builtin_trunc##suffix(x);                                                              \
    }                                                                                                   \
    type rint##suffix(type x) {                                                                         \
        return __builtin_rint##suffix(x);                                                               \
    }                                                                                                   \
    type nearbyint##suffix(type x) {                                                                    \
        return __builtin_rint##suffix(x);                                                               \
    }                                                                                                   \
    type sqrt##suffix(type x) {                                                                         \
        return __builtin_sqrt##suffix(x);                                                               \
    }                                                                                                   \
    type fabs##suffix(type x) {                                                                         \
        return __builtin_fabs##suffix(x);                                                               \
    }                                                                                                   \
    type copysign##suffix(type x, type y) {                                                             \
        return __builtin_copysign##suffix(x, y);                                                        \
    }                                                                                                   \
    /* Halves away from zero. What is cut off is exact, so nothing is rounded twice. */                 \
    type round##suffix(type x) {                                                                        \
        type whole = __builtin_trunc##suffix(x);                                                        \
        return __builtin_fabs##suffix(x - whole) >= (type)0.5 ? whole + __builtin_copysign##suffix(1, x) : whole; \
    }                                                                                                   \
    type modf##suffix(type x, type *whole) {                                                            \
        type cut = __builtin_trunc##suffix(x);                                                          \
        *whole = cut;                                                                                   \
        return __builtin_copysign##suffix(__builtin_isinf(x) ? 0 : x - cut, x);                         \
    }                                                                                                   \
    type fmin##suffix(type x, type y) {                                                                 \
        if (x != x) return y;                                                                           \
        if (y != y) return x;                                                                           \
        if (x == y) return __builtin_signbit(x) ? x : y;                                                \
        return x < y ? x : y;                                                                           \
    }                                                                                                   \
    type fmax##suffix(type x, type y) {                                                                 \
        if (x != x) return y;                                                                           \
        if (y != y) return x;                                                                           \
        if (x == y) return __builtin_signbit(x) ? y : x;                                                \
        return x < y ? y : x;                                                                           \
    }                                                                                                   \
    type nan##suffix(const char *tag) {                                                                 \
        (void)tag;                                                                                      \
        return __builtin_nan##suffix("");                                                               \
    }                                                                                                   \
    long lrint##suffix(type x) {                                                                        \
        return (long)__builtin_rint##suffix(x);                                                         \
    }                                                                                                   \
    long long llrint##suffix(type x) {                                                                  \
        return (long long)__builtin_rint##suffix(x);                                                    \
    }

SAME_FOR(double, )
SAME_FOR(float, f)

int finite(double x) {
    return __builtin_isfinite(x);
}
int finitef(float x) {
    return __builtin_isfinite(x);
}

/* The exponent; INT_MIN, a choice of musl's, where there is none. */
int ilogb(double x) {
    int exponent;
    if (x == 0 || x != x) return INT_MIN;
    if (__builtin_isinf(x)) return INT_MAX;
    frexp(x, &exponent);
    return exponent - 1;
}
int ilogbf(float x) {
    return ilogb(x);
}

double fdim(double x, double y) {
    if (x != x) return x;
    if (y != y) return y;
    return x > y ? x - y : 0;
}

/* A number as sign, exponent and significand: the exponent's field, or that of a denormal scaled up. */
union bits64 {
    double value;
    uint64_t bits;
};
union bits32 {
    float value;
    uint32_t bits;
};

double frexp(double x, int *exponent) {
    union bits64 pun = {x};
    int field = (int)(pun.bits >> 52) & 0x7ff;
    *exponent = 0;
    if (field == 0x7ff || x == 0) return x;
    if (field == 0) {
        pun.value = x * 0x1p64;
        field = ((int)(pun.bits >> 52) & 0x7ff) - 64;
    }
    *exponent = field - 1022;
    pun.bits = (pun.bits & 0x800fffffffffffffull) | 0x3fe0000000000000ull;
    return pun.value;
}

float frexpf(float x, int *exponent) {
    union bits32 pun = {x};
    int field = (int)(pun.bits >> 23) & 0xff;
    *exponent = 0;
    if (field == 0xff || x == 0) return x;
    if (field == 0) {
        pun.value = x * 0x1p32f;
        field = ((int)(pun.bits >> 23) & 0xff) - 32;
    }
    *exponent = field - 126;
    pun.bits = (pun.bits & 0x807fffffu) | 0x3f000000u;
    return pun.value;
}

/* The significand as an integer and its exponent, for numbers other than zero. */
static int unpack(uint64_t magnitude, unsigned width, uint64_t *significand) {
    uint64_t implicit = 1ull << width;
    int exponent = (int)(magnitude >> width);
    *significand = magnitude & (implicit - 1);
    if (exponent) {
        *significand |= implicit;
        return exponent;
    }
    int shift = __builtin_clzll(*significand) - (63 - (int)width);
    *significand <<= shift;
    return 1 - shift;
}

/* |x| mod |y| on the representations: as many bits of the quotient per step as fit a 64-bit division. */
static uint64_t remainder_bits(uint64_t x, uint64_t y, unsigned width) {
    uint64_t rest, divisor;
    if (x < y) return x;
    int distance = unpack(x, width, &rest), exponent = unpack(y, width, &divisor), room = 63 - (int)width;
    distance -= exponent;
    rest %= divisor;
    while (distance > 0 && rest) {
        int step = distance < room ? distance : room;
        rest = (rest << step) % divisor;
        distance -= step;
    }
    if (rest == 0) return 0;
    int shift = __builtin_clzll(rest) - (63 - (int)width);
    /* The leading bit adds one to the exponent's field. */
    if (exponent - shift > 0) return ((uint64_t)(exponent - shift - 1) << width) + (rest << shift);
    return exponent > 1 ? rest << (exponent - 1) : rest >> (1 - exponent);
}

double fmod(double x, double y) {
    union bits64 a = {x}, b = {y};
    uint64_t sign = a.bits & 1ull << 63;
    if (y == 0 || y != y || !__builtin_isfinite(x)) return (x * y) / (x * y);
    a.bits ^= sign;
    b.bits &= ~(1ull << 63);
    a.bits = remainder_bits(a.bits, b.bits, 52) | sign;
    return a.value;
}

float fmodf(float x, float y) {
    union bits32 a = {x}, b = {y};
    uint32_t sign = a.bits & 1u << 31;
    if (y == 0 || y != y || !__builtin_isfinite(x)) return (x * y) / (x * y);
    a.bits ^= sign;
    b.bits &= ~(1u << 31);
    a.bits = (uint32_t)remainder_bits(a.bits, b.bits, 23) | sign;
    return a.value;
}
