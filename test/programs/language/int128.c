// 128-bit integers: arithmetic, shifts, comparison, division, conversion, as arguments, results and in structures.
// stdout: 100000000000000000000000000000000000000
// stdout: 147808829414345923316083210206383297601
// stdout: 810000007290000072252 87660000073144
// stdout: 12100470675061433
// stdout: -6366805760909027985741435139224001
// stdout: -6366786660549046338602419331
// stdout: -966008
// stdout: -43143153986068
// stdout: 98a224000000000 4b3b4ca85a86c47a
// stdout: b50d88f413144480 2d43623d04c51120
// stdout: 2ced32a16a1b11e8 8262889000000000
// stdout: 259da6542 0
// stdout: 4 0
// stdout: 1 1 1
// stdout: x 6366805760909027985741435139224001 5 48
// stdout: 1.000000e+38 -6.366806e+33
// stdout: 1000000000000000019884624838656 -250000000000000000000
// stdout: -1234567.000
// stdout: 14551734119796513541
// stdout: -46116860184273879035
#include <stdint.h>
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static const char *text(u128 value)
{
    static char buffers[4][48];
    static int next;
    char *p = buffers[next++ & 3] + 47;
    *p = 0;
    do
        *--p = '0' + (int)(value % 10);
    while (value /= 10);
    return p;
}

static const char *signed_text(i128 value)
{
    static char buffer[50];
    snprintf(buffer, sizeof buffer, "%s%s", value < 0 ? "-" : "", text(value < 0 ? -(u128)value : (u128)value));
    return buffer;
}

static u128 power(u128 base, unsigned exponent)
{
    u128 result = 1;
    while (exponent--)
        result *= base;
    return result;
}

struct holder { char c; i128 wide; short s; };
static struct holder negate(struct holder h) { h.wide = -h.wide; return h; }

static uint64_t modular_power(uint64_t base, uint64_t exponent, uint64_t modulus)
{
    uint64_t result = 1;
    for (; exponent; exponent >>= 1, base = (u128)base * base % modulus)
        if (exponent & 1)
            result = (u128)result * base % modulus;
    return result;
}

int main(void)
{
    u128 big = power(10, 38);
    printf("%s\n", text(big));
    printf("%s\n", text(power(3, 80)));
    printf("%s %s\n", text(big / 123456789012345678ull), text(big % 123456789012345678ull));
    printf("%s\n", text(big / ((u128)7 << 70)));
    i128 negative = -(i128)power(7, 40);
    printf("%s\n", signed_text(negative));
    printf("%s\n", signed_text(negative / 1000003));
    printf("%s\n", signed_text(negative % 1000003));
    printf("%s\n", signed_text(negative >> 67));
    for (int shift = 0; shift < 128; shift += 31)
        printf("%llx %llx\n", (unsigned long long)(big >> shift), (unsigned long long)((big << shift) >> 64));
    printf("%d %d %d\n", negative < 0, (u128)negative > big, negative == -(i128)power(7, 40));
    struct holder h = negate((struct holder){ 'x', negative, 5 });
    printf("%c %s %d %zu\n", h.c, signed_text(h.wide), h.s, sizeof h);
    printf("%.6e %.6e\n", (double)big, (double)negative);
    printf("%s %s\n", text((u128)1e30), signed_text((i128)-2.5e20));
    printf("%.3f\n", (float)(i128)-1234567);
    printf("%llu\n", (unsigned long long)modular_power(1234567890123ull, 1000000006, 18446744073709551557ull));
    printf("%s\n", signed_text((i128)(int8_t)-5 * INT64_MAX));
    return 0;
}
