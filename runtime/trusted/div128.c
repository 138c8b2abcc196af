/* 128-bit division and conversions. A divisor of more than 64 bits leaves a quotient of at most 64, which one long
   division of the leading parts estimates one too high at worst. */
#include "divide.h"

typedef tangent_u128 u128;
typedef tangent_i128 i128;

static u128 divide(u128 a, u128 b, u128 *remainder) {
    uint64_t a_high = (uint64_t)(a >> 64), b_high = (uint64_t)(b >> 64), b_low = (uint64_t)b;
    if (b == 0) __tangent_host_fault(TANGENT_FAULT_DIVISION_BY_ZERO, 0, 0, 16);
    if (a < b) {
        *remainder = a;
        return 0;
    }
    if (b_high == 0) {
        uint64_t first = a_high / b_low, rest, second;
        if (a_high == 0) {
            *remainder = (uint64_t)a % b_low;
            return (uint64_t)a / b_low;
        }
        second = tangent_divide_128_64(a_high % b_low, (uint64_t)a, b_low, &rest);
        *remainder = rest;
        return (u128)first << 64 | second;
    }
    unsigned shift = tangent_leading_zeros(b_high);
    u128 halved = a >> 1;
    uint64_t leading = (uint64_t)((b << shift) >> 64), rest;
    uint64_t quotient = tangent_divide_128_64((uint64_t)(halved >> 64), (uint64_t)halved, leading, &rest) >> (63 - shift);
    if (quotient) quotient--;
    *remainder = a - quotient * b;
    if (*remainder >= b) {
        *remainder -= b;
        quotient++;
    }
    return quotient;
}

static u128 magnitude(i128 a) {
    return a < 0 ? -(u128)a : (u128)a;
}

u128 __tangent_udiv128(u128 a, u128 b) {
    u128 remainder;
    return divide(a, b, &remainder);
}

u128 __tangent_urem128(u128 a, u128 b) {
    u128 remainder;
    divide(a, b, &remainder);
    return remainder;
}

i128 __tangent_sdiv128(i128 a, i128 b) {
    u128 remainder, quotient = divide(magnitude(a), magnitude(b), &remainder);
    return (i128)((a < 0) != (b < 0) ? -quotient : quotient);
}

i128 __tangent_srem128(i128 a, i128 b) {
    u128 remainder;
    divide(magnitude(a), magnitude(b), &remainder);
    return (i128)(a < 0 ? -remainder : remainder);
}

/* The bits below the top 64 become one sticky bit, so that the one rounding is done by the machine's own conversion. */
double __tangent_u128_to_double(u128 a) {
    uint64_t high = (uint64_t)(a >> 64);
    if (high == 0) return (double)(uint64_t)a;
    unsigned shift = 64 - tangent_leading_zeros(high);
    uint64_t top = (uint64_t)(a >> shift) | ((u128)(uint64_t)(a >> shift) << shift != a);
    union {
        uint64_t bits;
        double value;
    } scale = {(uint64_t)(1023 + shift) << 52};
    return (double)top * scale.value;
}

double __tangent_i128_to_double(i128 a) {
    double value = __tangent_u128_to_double(magnitude(a));
    return a < 0 ? -value : value;
}

/* Saturates; what is not a number counts as too large. */
u128 __tangent_double_to_u128(double a) {
    union {
        double value;
        uint64_t bits;
    } pun = {a};
    int exponent = (int)(pun.bits >> 52 & 0x7ff) - 1023;
    u128 significand = (pun.bits & 0xfffffffffffffull) | 0x10000000000000ull;
    if (pun.bits >> 63 || exponent < 0) return 0;
    if (exponent >= 128) return ~(u128)0;
    return exponent < 52 ? significand >> (52 - exponent) : significand << (exponent - 52);
}

i128 __tangent_double_to_i128(double a) {
    union {
        double value;
        uint64_t bits;
    } pun = {a}, positive = {0};
    positive.bits = pun.bits & 0x7fffffffffffffffull;
    u128 value = __tangent_double_to_u128(positive.value), limit = (u128)1 << 127;
    int negative = (int)(pun.bits >> 63);
    if (value >= limit) return (i128)(negative ? limit : limit - 1);
    return negative ? -(i128)value : (i128)value;
}
