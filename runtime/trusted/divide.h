/* One step of long division: 128 bits by 64, as processors have it and WebAssembly has not. In base 2^32: each of the two
   digits is estimated from the divisor's upper half and corrected at most twice (Knuth, The Art of Computer Programming,
   volume 2, 4.3.1, algorithm D). */
#ifndef TANGENT_DIVIDE_H
#define TANGENT_DIVIDE_H

#include <tangent/machine.h>

static inline unsigned tangent_leading_zeros(uint64_t a) {
    return (unsigned)__builtin_clzll(a);
}

/* One digit: (high:digit) / divisor, where high < divisor and the divisor's top bit is set. */
static inline uint64_t tangent_divide_digit(uint64_t *high, uint32_t digit, uint64_t divisor) {
    uint64_t upper = divisor >> 32, lower = (uint32_t)divisor;
    uint64_t quotient = *high / upper, rest = *high % upper;
    while (quotient >> 32 || quotient * lower > (rest << 32 | digit)) {
        quotient--;
        rest += upper;
        if (rest >> 32) break;
    }
    *high = (*high << 32 | digit) - quotient * divisor;
    return quotient;
}

/* (high:low) / divisor, where high < divisor, so that the quotient has 64 bits. */
static inline uint64_t tangent_divide_128_64(uint64_t high, uint64_t low, uint64_t divisor, uint64_t *remainder) {
    unsigned shift = tangent_leading_zeros(divisor);
    divisor <<= shift;
    if (shift) {
        high = high << shift | low >> (64 - shift);
        low <<= shift;
    }
    uint64_t first = tangent_divide_digit(&high, (uint32_t)(low >> 32), divisor);
    uint64_t second = tangent_divide_digit(&high, (uint32_t)low, divisor);
    *remainder = high >> shift;
    return first << 32 | second;
}

#endif
