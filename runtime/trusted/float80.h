/* The x87's 80-bit format: sign, 15 bits of exponent, and a significand of 64 bits whose first bit is explicit. That bit
   makes forms other formats do not have: a number with an exponent but without the bit ("unnormal") and an infinity or NaN
   without it are invalid operands; a denormal with it is the smallest exponent's number. */
#ifndef TANGENT_FLOAT80_H
#define TANGENT_FLOAT80_H

#include <tangent/machine.h>

typedef tangent_u128 u128;

#define BIAS 16383
#define MAX_EXPONENT 0x7fff
#define TOP 0x8000000000000000ull
#define QUIET 0x4000000000000000ull

static inline uint64_t significand_of(u128 a) {
    return (uint64_t)a;
}
static inline int exponent_of(u128 a) {
    return (int)(a >> 64) & 0x7fff;
}
static inline int sign_of(u128 a) {
    return (int)(a >> 79) & 1;
}
static inline u128 compose(int sign, int exponent, uint64_t significand) {
    return (u128)(unsigned)(sign << 15 | exponent) << 64 | significand;
}

static inline u128 zero(int sign) {
    return compose(sign, 0, 0);
}
static inline u128 infinity(int sign) {
    return compose(sign, MAX_EXPONENT, TOP);
}
/* What an invalid operation gives. */
static inline u128 indefinite(void) {
    return compose(1, MAX_EXPONENT, TOP | QUIET);
}

static inline int is_invalid(u128 a) {
    return exponent_of(a) != 0 && !(significand_of(a) & TOP);
}
static inline int is_nan(u128 a) {
    return exponent_of(a) == MAX_EXPONENT && significand_of(a) << 1 != 0;
}
static inline int is_infinite(u128 a) {
    return exponent_of(a) == MAX_EXPONENT && significand_of(a) == TOP;
}
static inline int is_zero(u128 a) {
    return exponent_of(a) == 0 && significand_of(a) == 0;
}
/* NaN, infinity or invalid: not an ordinary number. */
static inline int is_special(u128 a) {
    return exponent_of(a) == MAX_EXPONENT || is_invalid(a);
}

/* An ordinary number other than zero, with the significand's top bit set; the exponent is still biased, and may be
   negative. */
struct number {
    int sign;
    int exponent;
    uint64_t significand;
};

static inline void unpack(u128 a, struct number *number) {
    uint64_t significand = significand_of(a);
    int shift = __builtin_clzll(significand);
    number->sign = sign_of(a);
    number->exponent = exponent_of(a) ? exponent_of(a) : 1 - shift;
    number->significand = significand << shift;
}

/* Rounds to nearest, ties to even. The significand's top bit is set; `low` continues it, its last bit being sticky. */
static inline u128 round_and_compose(int sign, int exponent, uint64_t high, uint64_t low) {
    if (exponent <= 0) {
        unsigned shift = (unsigned)(1 - exponent);
        if (shift < 64) {
            low = high << (64 - shift) | low >> shift | (low << (64 - shift) != 0);
            high >>= shift;
        } else {
            /* Less than half of the smallest number, or half of it and more: one of the last two bits is left. */
            low = shift == 64 ? high | (low != 0) : 1;
            high = 0;
        }
        exponent = 0;
    }
    if (low > TOP || (low == TOP && high & 1)) {
        high++;
        if (high == 0) {
            high = TOP;
            exponent++;
        }
    }
    if (exponent == 0 && high & TOP) exponent = 1;
    return exponent >= MAX_EXPONENT ? infinity(sign) : compose(sign, exponent, high);
}

/* The result of an operation with a NaN or an invalid operand. */
u128 __tangent_f80_not_a_number(u128 a, u128 b);

#endif
