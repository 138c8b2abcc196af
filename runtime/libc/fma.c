/* x * y + z rounded once, for all three formats. The exact product and the addend are put into 256-bit numbers with the
   same exponent; what is shifted out of the smaller leaves a sticky bit, which decides ties as the lost bits would.
   Invariant: of the larger number no bit is ever lost, and if bits of the smaller are lost, the two are so far apart
   that the difference keeps its leading bits. */
#include <math.h>
#include <stdint.h>

typedef unsigned __int128 u128;

struct wide {
    u128 high, low;
};

/* A finite number other than zero: significand with its top bit (63) set, times 2^exponent. */
struct number {
    int negative;
    int exponent;
    uint64_t significand;
};

static struct wide shift_right(struct wide a, unsigned count) {
    struct wide result = {0, 1};
    if (count == 0) return a;
    if (count >= 256) return result;
    if (count >= 128) {
        u128 lost = a.low | (count > 128 ? a.high << (256 - count) : 0);
        result.low = a.high >> (count - 128) | (lost != 0);
        return result;
    }
    result.high = a.high >> count;
    result.low = a.low >> count | a.high << (128 - count) | (a.low << (128 - count) != 0);
    return result;
}

static struct wide add(struct wide a, struct wide b) {
    struct wide sum = {a.high + b.high, a.low + b.low};
    sum.high += sum.low < a.low;
    return sum;
}

static struct wide subtract(struct wide a, struct wide b) {
    struct wide difference = {a.high - b.high - (a.low < b.low), a.low - b.low};
    return difference;
}

static int less(struct wide a, struct wide b) {
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

static unsigned leading_zeros(u128 a) {
    uint64_t high = (uint64_t)(a >> 64);
    return high ? (unsigned)__builtin_clzll(high) : 64 + (unsigned)__builtin_clzll((uint64_t)a);
}

/* The exact x * y + z, or x * y if z is null: its leading 64 bits are `sum`, those after them *after, the last one sticky.
   Returns 0 if it is zero. Here a window W stands for W * 2^unit. */
static int multiply_add(struct number x, struct number y, const struct number *z, struct number *sum, uint64_t *after) {
    u128 product = (u128)x.significand * y.significand;
    struct wide result = {product >> 2, product << 126};
    int unit = x.exponent + y.exponent - 126, negative = x.negative ^ y.negative;
    if (z) {
        struct wide addend = {(u128)z->significand << 62, 0};
        int other = z->exponent - 190;
        if (unit >= other) {
            addend = shift_right(addend, (unsigned)(unit - other));
        } else {
            result = shift_right(result, (unsigned)(other - unit));
            unit = other;
        }
        if (negative == z->negative) {
            result = add(result, addend);
        } else if (less(result, addend)) {
            result = subtract(addend, result);
            negative = z->negative;
        } else {
            result = subtract(result, addend);
        }
    }
    if (!result.high) {
        if (!result.low) return 0;
        result.high = result.low;
        result.low = 0;
        unit -= 128;
    }
    unsigned shift = leading_zeros(result.high);
    if (shift) {
        result.high = result.high << shift | result.low >> (128 - shift);
        result.low <<= shift;
    }
    sum->negative = negative;
    sum->exponent = unit - (int)shift + 192;
    sum->significand = (uint64_t)(result.high >> 64);
    *after = (uint64_t)result.high | (result.low != 0);
    return 1;
}

/* In a format with that many bits and with 2^smallest as its smallest number: the nearest multiple of the unit 2^*unit. */
static u128 round_to(const struct number *a, uint64_t after, int bits, int smallest, int *unit) {
    u128 all = (u128)a->significand << 64 | after;
    *unit = a->exponent + 64 - bits;
    if (*unit < smallest) *unit = smallest;
    int drop = *unit - (a->exponent - 64);
    if (drop > 128) return 0;
    u128 half = (u128)1 << (drop - 1), kept = drop == 128 ? 0 : all >> drop, lost = all & (half - 1 + half);
    return kept + (lost > half || (lost == half && kept & 1));
}

/* A number that is finite and not zero, from a format with `width` bits of fraction. */
static struct number unpack(uint64_t bits, unsigned sign, unsigned width, int smallest) {
    uint64_t magnitude = bits & ((1ull << sign) - 1), fraction = magnitude & ((1ull << width) - 1);
    int field = (int)(magnitude >> width);
    if (field) fraction |= 1ull << width;
    int shift = __builtin_clzll(fraction);
    struct number result = {(int)(bits >> sign), (field ? field - 1 : 0) + smallest - shift, fraction << shift};
    return result;
}

/* The result's bits in such a format. */
static uint64_t pack(const struct number *sum, uint64_t after, unsigned sign, unsigned width, int smallest) {
    int unit;
    uint64_t rounded = (uint64_t)round_to(sum, after, (int)width + 1, smallest, &unit);
    uint64_t infinite = ((1ull << (sign - width)) - 1) << width;
    uint64_t field = (uint64_t)(unit - smallest), bits = (field << width) + rounded;
    if (field >= infinite >> width || bits > infinite) bits = infinite;
    return bits | (uint64_t)sum->negative << sign;
}

#define FMA(name, type, integer, sign, width, smallest)                                                   \
    type name(type x, type y, type z) {                                                                   \
        union {                                                                                           \
            type value;                                                                                   \
            integer bits;                                                                                 \
        } a = {x}, b = {y}, c = {z}, result;                                                              \
        struct number sum, addend;                                                                        \
        uint64_t after;                                                                                   \
        if (x == 0 || y == 0 || !__builtin_isfinite(x) || !__builtin_isfinite(y)) return x * y + z;       \
        if (!__builtin_isfinite(z)) return z;                                                             \
        if (z != 0) addend = unpack(c.bits, sign, width, smallest);                                       \
        if (!multiply_add(unpack(a.bits, sign, width, smallest), unpack(b.bits, sign, width, smallest),   \
                          z != 0 ? &addend : 0, &sum, &after))                                            \
            return 0;                                                                                     \
        result.bits = (integer)pack(&sum, after, sign, width, smallest);                                  \
        return result.value;                                                                              \
    }

FMA(fma, double, uint64_t, 63, 52, -1074)
FMA(fmaf, float, uint32_t, 31, 23, -149)

union parts {
    long double value;
    struct {
        uint64_t significand;
        uint16_t sign_exponent;
    };
};
#define SMALLEST -16445

static struct number unpack_long(long double value) {
    union parts a = {value};
    int field = a.sign_exponent & 0x7fff, shift = __builtin_clzll(a.significand);
    struct number result = {a.sign_exponent >> 15, (field ? field - 1 : 0) + SMALLEST - shift, a.significand << shift};
    return result;
}

long double fmal(long double x, long double y, long double z) {
    union parts result = {0};
    struct number sum, addend;
    uint64_t after;
    int unit;
    if (x == 0 || y == 0 || !__builtin_isfinite(x) || !__builtin_isfinite(y)) return x * y + z;
    if (!__builtin_isfinite(z)) return z;
    if (z != 0) addend = unpack_long(z);
    if (!multiply_add(unpack_long(x), unpack_long(y), z != 0 ? &addend : 0, &sum, &after)) return 0;
    u128 rounded = round_to(&sum, after, 64, SMALLEST, &unit);
    if (rounded >> 64) {
        rounded >>= 1;
        unit++;
    }
    int field = unit - SMALLEST + (int)(rounded >> 63);
    if (field >= 0x7fff) {
        field = 0x7fff;
        rounded = (u128)1 << 63;
    }
    result.significand = (uint64_t)rounded;
    result.sign_exponent = (uint16_t)(sum.negative << 15 | field);
    return result.value;
}
