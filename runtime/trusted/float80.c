/* Arithmetic on 80-bit floating-point numbers as the x87 does it, bit for bit, rounding to nearest. musl's printf and
   strtod compute in long double, so nearly every program comes here. Every operation computes 128 bits of the exact
   result, with all that is lost noted in the last of them, and rounds once. */
#include "float80.h"
#include "divide.h"

/* Two NaNs: the quiet one of a quiet and a signalling one, else the larger significand, else the positive one. */
u128 __tangent_f80_not_a_number(u128 a, u128 b) {
    if (is_invalid(a) || is_invalid(b)) return indefinite();
    if (!is_nan(a)) a = b;
    if (!is_nan(b)) b = a;
    uint64_t x = significand_of(a), y = significand_of(b);
    u128 chosen;
    if ((x ^ y) & QUIET)
        chosen = x & QUIET ? a : b;
    else if (x != y)
        chosen = x > y ? a : b;
    else
        chosen = sign_of(a) ? b : a;
    return compose(sign_of(chosen), MAX_EXPONENT, significand_of(chosen) | QUIET);
}

/* |a| + |b| or |a| - |b|; a is the larger. */
static u128 add_magnitudes(struct number a, struct number b) {
    unsigned distance = (unsigned)(a.exponent - b.exponent);
    uint64_t high = b.significand, low = 0;
    if (distance >= 128) {
        high = 0;
        low = 1;
    } else if (distance >= 64) {
        low = high >> (distance - 64) | (distance > 64 && high << (128 - distance) != 0);
        high = 0;
    } else if (distance) {
        low = high << (64 - distance);
        high >>= distance;
    }
    if (a.sign == b.sign) {
        uint64_t sum = a.significand + high;
        if (sum < high) {
            low = sum << 63 | low >> 1 | (low & 1);
            sum = sum >> 1 | TOP;
            a.exponent++;
        }
        return round_and_compose(a.sign, a.exponent, sum, low);
    }
    uint64_t difference = a.significand - high - (low != 0);
    low = -low;
    if (difference == 0 && low == 0) return zero(0);
    if (difference == 0) {
        difference = low;
        low = 0;
        a.exponent -= 64;
    }
    unsigned shift = tangent_leading_zeros(difference);
    if (shift) {
        difference = difference << shift | low >> (64 - shift);
        low <<= shift;
    }
    return round_and_compose(a.sign, a.exponent - (int)shift, difference, low);
}

u128 __tangent_f80_add(u128 a, u128 b) {
    if (is_special(a) || is_special(b)) {
        if (is_invalid(a) || is_invalid(b) || is_nan(a) || is_nan(b)) return __tangent_f80_not_a_number(a, b);
        if (is_infinite(a) && is_infinite(b)) return sign_of(a) == sign_of(b) ? infinity(sign_of(a)) : indefinite();
        return infinity(sign_of(is_infinite(a) ? a : b));
    }
    if (is_zero(a) && is_zero(b)) return zero(sign_of(a) & sign_of(b));
    struct number x, y;
    if (is_zero(a) || is_zero(b)) {
        unpack(is_zero(a) ? b : a, &x);
        return round_and_compose(x.sign, x.exponent, x.significand, 0);
    }
    unpack(a, &x);
    unpack(b, &y);
    if (x.exponent > y.exponent || (x.exponent == y.exponent && x.significand >= y.significand))
        return add_magnitudes(x, y);
    return add_magnitudes(y, x);
}

u128 __tangent_f80_sub(u128 a, u128 b) {
    /* A NaN keeps its sign. */
    if (is_nan(b)) return __tangent_f80_not_a_number(a, b);
    return __tangent_f80_add(a, b ^ (u128)1 << 79);
}

u128 __tangent_f80_mul(u128 a, u128 b) {
    int sign = sign_of(a) ^ sign_of(b);
    if (is_special(a) || is_special(b)) {
        if (is_invalid(a) || is_invalid(b) || is_nan(a) || is_nan(b)) return __tangent_f80_not_a_number(a, b);
        return is_zero(a) || is_zero(b) ? indefinite() : infinity(sign);
    }
    if (is_zero(a) || is_zero(b)) return zero(sign);
    struct number x, y;
    unpack(a, &x);
    unpack(b, &y);
    u128 product = (u128)x.significand * y.significand;
    int exponent = x.exponent + y.exponent - BIAS + 1;
    if (!(product >> 127)) {
        product <<= 1;
        exponent--;
    }
    return round_and_compose(sign, exponent, (uint64_t)(product >> 64), (uint64_t)product);
}

u128 __tangent_f80_div(u128 a, u128 b) {
    int sign = sign_of(a) ^ sign_of(b);
    if (is_special(a) || is_special(b)) {
        if (is_invalid(a) || is_invalid(b) || is_nan(a) || is_nan(b)) return __tangent_f80_not_a_number(a, b);
        if (is_infinite(a)) return is_infinite(b) ? indefinite() : infinity(sign);
        return zero(sign);
    }
    if (is_zero(b)) return is_zero(a) ? indefinite() : infinity(sign);
    if (is_zero(a)) return zero(sign);
    struct number x, y;
    unpack(a, &x);
    unpack(b, &y);
    int exponent = x.exponent - y.exponent + BIAS;
    uint64_t high = x.significand, low = 0, rest;
    if (high < y.significand) {
        exponent--;
    } else {
        low = high << 63;
        high >>= 1;
    }
    uint64_t quotient = tangent_divide_128_64(high, low, y.significand, &rest);
    /* What follows the quotient's 64 bits is rest / divisor: compare it with one half. */
    uint64_t twice = rest << 1, after = rest != 0;
    if (rest >> 63 || twice > y.significand)
        after = TOP | 1;
    else if (rest && twice == y.significand)
        after = TOP;
    return round_and_compose(sign, exponent, quotient, after);
}

/* C's fmod: the exact remainder of the truncated quotient, with a's sign. */
u128 __tangent_f80_rem(u128 a, u128 b) {
    if (is_special(a) || is_special(b)) {
        if (is_invalid(a) || is_invalid(b) || is_nan(a) || is_nan(b)) return __tangent_f80_not_a_number(a, b);
        if (is_infinite(a)) return indefinite();
    }
    if (is_zero(b)) return indefinite();
    if (is_zero(a)) return a;
    struct number x, y;
    unpack(a, &x);
    unpack(b, &y); /* An infinite b is larger than any a, as its bits say. */
    int distance = x.exponent - y.exponent;
    if (distance < 0) return round_and_compose(x.sign, x.exponent, x.significand, 0);
    uint64_t rest = x.significand >= y.significand ? x.significand - y.significand : x.significand;
    while (distance > 0) {
        unsigned step = distance < 63 ? (unsigned)distance : 63;
        /* rest < divisor, so the upper part of the shifted rest is less than the divisor too. */
        tangent_divide_128_64(rest >> (64 - step), rest << step, y.significand, &rest);
        distance -= (int)step;
    }
    if (rest == 0) return zero(x.sign);
    unsigned shift = tangent_leading_zeros(rest);
    return round_and_compose(x.sign, y.exponent - (int)shift, rest << shift, 0);
}

/* Bit by bit, as by hand: 64 bits of the root of 128, then what is left says how to round. */
u128 __tangent_f80_sqrt(u128 a) {
    if (is_invalid(a) || is_nan(a)) return __tangent_f80_not_a_number(a, a);
    if (is_zero(a)) return a;
    if (sign_of(a)) return indefinite();
    if (is_infinite(a)) return a;
    struct number x;
    unpack(a, &x);
    int exponent = x.exponent - BIAS;
    /* The radicand in [1, 4) with 126 bits after the point; its root in [1, 2) with 63. */
    uint64_t high = exponent & 1 ? x.significand : x.significand >> 1, low = exponent & 1 ? 0 : x.significand << 63;
    u128 root = 0, rest = 0;
    for (int i = 0; i < 64; i++) {
        rest = (rest << 2) + (high >> 62);
        high = high << 2 | low >> 62;
        low <<= 2;
        u128 trial = root << 2 | 1;
        root <<= 1;
        if (rest >= trial) {
            rest -= trial;
            root |= 1;
        }
    }
    /* The next bit is one if rest >= root + 1/4, that is rest > root; a tie is impossible. */
    uint64_t after = rest == 0 ? 0 : rest > root ? TOP | 1 : 1;
    return round_and_compose(0, ((exponent - (exponent & 1)) >> 1) + BIAS, (uint64_t)root, after);
}

int __tangent_f80_compare(u128 a, u128 b) {
    if (is_invalid(a) || is_invalid(b) || is_nan(a) || is_nan(b)) return 2;
    if (is_zero(a) && is_zero(b)) return 0;
    if (sign_of(a) != sign_of(b)) return sign_of(a) ? -1 : 1;
    int negative = sign_of(a) ? -1 : 1;
    /* A denormal with its top bit set has the exponent 1. */
    int x = exponent_of(a) ? exponent_of(a) : 1, y = exponent_of(b) ? exponent_of(b) : 1;
    if (x != y) return x < y ? -negative : negative;
    if (significand_of(a) == significand_of(b)) return 0;
    return significand_of(a) < significand_of(b) ? -negative : negative;
}
