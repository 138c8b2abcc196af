// The overflow builtins for all widths and mixed types, and the carrying ones.
// stdout: 2221562441 775
// stdout: 1 -1294967297
// stdout: 1 -2147483648
// stdout: 1 0
// stdout: 1 18446744073709551614
// stdout: 1 0
// stdout: 0
// stdout: 4000000000000000
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static volatile int64_t values[] = { 0, 1, -1, 100, 200, -128, 32767, INT_MAX, INT_MIN, INT64_MAX, INT64_MIN };

#define TRY(type, a, b) do { \
    type r_; int o_ = __builtin_add_overflow((type)(a), (type)(b), &r_); h = h * 31 + (unsigned)r_ + o_; n += o_; \
    o_ = __builtin_sub_overflow((type)(a), (type)(b), &r_); h = h * 31 + (unsigned)r_ + o_; n += o_; \
    o_ = __builtin_mul_overflow((type)(a), (type)(b), &r_); h = h * 31 + (unsigned)r_ + o_; n += o_; } while (0)

int main(void)
{
    unsigned h = 0, n = 0;
    for (int i = 0; i < 11; i++)
        for (int k = 0; k < 11; k++) {
            TRY(int8_t, values[i], values[k]);
            TRY(uint8_t, values[i], values[k]);
            TRY(int16_t, values[i], values[k]);
            TRY(uint16_t, values[i], values[k]);
            TRY(int32_t, values[i], values[k]);
            TRY(uint32_t, values[i], values[k]);
            TRY(int64_t, values[i], values[k]);
            TRY(uint64_t, values[i], values[k]);
        }
    printf("%u %u\n", h, n);
    int r;
    printf("%d ", __builtin_add_overflow(3000000000u, -1, &r));
    printf("%d\n", r);
    printf("%d ", __builtin_sadd_overflow(INT_MAX, 1, &r));
    printf("%d\n", r);
    unsigned char c;
    printf("%d ", __builtin_mul_overflow(16, 16, &c));
    printf("%d\n", c);
    unsigned long u;
    printf("%d ", __builtin_usubl_overflow(3, 5, &u));
    printf("%lu\n", u);
    long l;
    printf("%d ", __builtin_smull_overflow(1l << 40, 1l << 30, &l));
    printf("%ld\n", l);
    __int128 w;
    printf("%d\n", __builtin_mul_overflow(INT64_MIN, INT64_MIN, &w));
    printf("%llx\n", (unsigned long long)(w >> 64));
    return 0;
}
