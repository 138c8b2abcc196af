/* Conversions between 80-bit numbers and the machine's. To a narrower format a number is rounded once, in that format's own
   precision, which for its denormals is less than for its other numbers. */
#include "float80.h"

u128 __tangent_f80_from_double(double value) {
    union {
        double value;
        uint64_t bits;
    } pun = {value};
    int sign = (int)(pun.bits >> 63), exponent = (int)(pun.bits >> 52) & 0x7ff;
    uint64_t fraction = pun.bits << 12 >> 1;
    if (exponent == 0x7ff) return compose(sign, MAX_EXPONENT, TOP | fraction | (fraction ? QUIET : 0));
    if (exponent) return compose(sign, exponent - 1023 + BIAS, TOP | fraction);
    if (fraction == 0) return zero(sign);
    int shift = __builtin_clzll(fraction);
    return compose(sign, 1 - shift - 1023 + BIAS, fraction << shift);
}

/* To a format with `bits` of significand (the first one implicit) and that many of exponent. */
static uint64_t narrow(u128 a, unsigned bits, unsigned exponent_bits) {
    int largest = (1 << exponent_bits) - 1, bias = largest >> 1;
    uint64_t sign = (uint64_t)sign_of(a) << (bits - 1 + exponent_bits);
    uint64_t infinite = (uint64_t)largest << (bits - 1);
    if (is_invalid(a)) a = indefinite(), sign = (uint64_t)1 << (bits - 1 + exponent_bits);
    if (is_nan(a)) return sign | infinite | (significand_of(a) | QUIET) << 1 >> (65 - bits);
    if (is_infinite(a)) return sign | infinite;
    if (is_zero(a)) return sign;
    struct number x;
    unpack(a, &x);
    int exponent = x.exponent - BIAS + bias;
    if (exponent >= largest) return sign | infinite;
    unsigned drop = 64 - bits;
    if (exponent <= 0) {
        drop += (unsigned)(1 - exponent);
        exponent = 0;
    }
    if (drop > 64) return sign;
    uint64_t kept = drop == 64 ? 0 : x.significand >> drop;
    uint64_t lost = drop == 64 ? x.significand : x.significand << (64 - drop);
    if (lost > TOP || (lost == TOP && kept & 1)) kept++;
    /* The implicit bit, and a carry out of the significand, add to the exponent by themselves. */
    return sign + (exponent ? (uint64_t)(exponent - 1) << (bits - 1) : 0) + kept;
}

double __tangent_f80_to_double(u128 a) {
    union {
        uint64_t bits;
        double value;
    } pun = {narrow(a, 53, 11)};
    return pun.value;
}

float __tangent_f80_to_float(u128 a) {
    union {
        uint32_t bits;
        float value;
    } pun = {(uint32_t)narrow(a, 24, 8)};
    return pun.value;
}

u128 __tangent_f80_from_u64(uint64_t a) {
    if (a == 0) return 0;
    int shift = __builtin_clzll(a);
    return compose(0, BIAS + 63 - shift, a << shift);
}

u128 __tangent_f80_from_i64(int64_t a) {
    u128 value = __tangent_f80_from_u64(a < 0 ? -(uint64_t)a : (uint64_t)a);
    return a < 0 ? value | (u128)1 << 79 : value;
}

/* Towards zero; what does not fit gives the most negative number, as the x87 has it. */
int64_t __tangent_f80_to_i64(u128 a) {
    int exponent = exponent_of(a) - BIAS;
    if (is_invalid(a)) return INT64_MIN;
    if (exponent < 0) return 0;
    if (exponent > 62) return INT64_MIN;
    int64_t value = (int64_t)(significand_of(a) >> (63 - exponent));
    return sign_of(a) ? -value : value;
}

/* As compilers do it with the x87: numbers from 2^63 on, and what compares with nothing, are moved down and back. */
uint64_t __tangent_f80_to_u64(u128 a) {
    int exponent = exponent_of(a) - BIAS;
    if (is_invalid(a) || is_nan(a)) return 0;
    if (sign_of(a) || exponent < 63) return (uint64_t)__tangent_f80_to_i64(a);
    return exponent == 63 ? significand_of(a) : 0;
}
