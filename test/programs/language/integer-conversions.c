// Conversions between all integer types and floating point, sign extension, truncation, promotion and comparison.
// stdout: 0 0 0 0 0 0 0
// stdout: 1 1 1 1 1 1 1
// stdout: -1 255 -1 65535 -1 4294967295 1
// stdout: 127 127 127 127 127 127 1
// stdout: -128 128 128 128 128 128 1
// stdout: -1 255 255 255 255 255 1
// stdout: 0 0 256 256 256 256 1
// stdout: 127 127 -129 65407 -129 4294967167 1
// stdout: 0 0 -32768 32768 32768 32768 1
// stdout: -1 255 -1 65535 65535 65535 1
// stdout: 0 0 0 0 -2147483648 2147483648 1
// stdout: -1 255 -1 65535 2147483647 2147483647 1
// stdout: -1 255 -1 65535 -1 4294967295 1
// stdout: 0 0 0 0 0 0 1
// stdout: 0 1
// stdout: 0 1
// stdout: 4000000000 18446744073414584320
// stdout: -1 15 4080
// stdout: 4000000000.0 18446744073709551616.0 -9223372036854775808.0
// stdout: 3000000000 -3000000000 12000000003000000512
// stdout: -123 -123 -123
// stdout: 1 1
// stdout: 4294836225 0
// stdout: 4 -128
// stdout: -3 -1 -3 1
// stdout: 2147483644 -4611686018427387904
// stdout: 70000 4
// stdout: 4 4
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static volatile int64_t sources[] = { 0, 1, -1, 127, 128, 255, 256, -129, 32768, 65535, 2147483648, -2147483649, INT64_MAX, INT64_MIN };

int main(void)
{
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        int64_t v = sources[i];
        printf("%d %u %d %u %d %u %d\n", (int8_t)v, (uint8_t)v, (int16_t)v, (uint16_t)v, (int32_t)v, (uint32_t)v, (_Bool)v);
    }
    volatile signed char c = -1;
    volatile unsigned char u = 255;
    volatile unsigned big = 4000000000u;
    printf("%d %d\n", c == u, (unsigned char)c == u);
    printf("%d %d\n", -1 < 1u, (long)-1 < (long)1u);
    printf("%ld %lu\n", (long)big, (unsigned long)(int)big);
    printf("%d %d %d\n", c >> 1, (unsigned)c >> 28, u << 4);
    printf("%.1f %.1f %.1f\n", (double)big, (double)UINT64_MAX, (float)INT64_MIN);
    volatile double d = 3000000000.75;
    printf("%u %lld %llu\n", (unsigned)d, (long long)-d, (unsigned long long)(d * 4e9));
    volatile float f = -123.9f;
    printf("%d %d %ld\n", (int)f, (signed char)f, (long)f);
    printf("%d %d\n", (char)200 < 0, '\xff' == -1);
    uint16_t a = 65535, b = 65535;
    printf("%u %d\n", (unsigned)a * b, (uint16_t)(a + 1));
    uint8_t w = 250;
    w += 10;
    int8_t n = 127;
    n++;
    printf("%d %d\n", w, n);
    printf("%d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, 7 % -2);
    printf("%u %lld\n", -7u / 2, INT64_MIN / 2);
    enum small { MINUS = -1, LARGE = 70000 } e = (enum small)LARGE;
    printf("%d %zu\n", e, sizeof e);
    printf("%d %d\n", (int)sizeof(c + c), (int)sizeof('a'));
    return 0;
}
