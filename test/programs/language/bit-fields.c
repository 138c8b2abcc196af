// Bit-fields: signed and unsigned, across units, zero-width, 64-bit, in unions, compound assignment and wrap-around.
// stdout: 1 5 -3 300 100 8
// stdout: 0 1 7 88 101
// stdout: 468acf12 f0f0f -1000 8
// stdout: 5f5555adaa 31 2796202 5461
// stdout: 1 124 200000
// stdout: -0.3125
// stdout: 1 0 63 64
// stdout: 8 1
#include <stdio.h>
#include <stdint.h>
#include <string.h>

struct flags {
    unsigned a : 1, b : 3;
    signed c : 4;
    unsigned : 0;
    unsigned d : 9;
    unsigned short e : 7;
};
struct wide {
    uint64_t low : 33, middle : 20;
    int64_t high : 11;
};
struct __attribute__((packed)) packed {
    unsigned x : 5;
    unsigned y : 22;
    unsigned z : 13;
};
union view {
    struct { unsigned fraction : 23, exponent : 8, sign : 1; } fields;
    float value;
};
struct boolean { _Bool on : 1; _Bool off : 1; unsigned char rest : 6; };

int main(void)
{
    struct flags f = { 1, 5, -3, 300, 100 };
    printf("%d %d %d %d %d %zu\n", f.a, f.b, f.c, f.d, f.e, sizeof f);
    f.b += 4;
    f.c -= 6;
    f.a = ~f.a;
    f.d *= 2;
    f.e++;
    printf("%d %d %d %d %d\n", f.a, f.b, f.c, f.d, f.e);
    struct wide w = { 0x123456789, 0xfffff, -1000 };
    w.low <<= 1;
    w.middle ^= 0x0f0f0;
    printf("%llx %llx %lld %zu\n", (unsigned long long)w.low, (unsigned long long)w.middle, (long long)w.high, sizeof w);
    struct packed p = { 31, 0x2aaaaa, 0x1555 };
    unsigned char bytes[sizeof p];
    memcpy(bytes, &p, sizeof p);
    for (size_t i = 0; i < sizeof p; i++)
        printf("%02x", bytes[i]);
    printf(" %u %u %u\n", p.x, p.y, p.z);
    union view v = { .value = -0.15625f };
    printf("%u %u %x\n", v.fields.sign, v.fields.exponent, v.fields.fraction);
    v.fields.exponent++;
    printf("%g\n", v.value);
    struct boolean b = { .on = 42, .rest = 63 };
    printf("%d %d %d %d\n", b.on, b.off, b.rest, b.on + b.rest);
    int assigned = (f.c = 7) + 1;
    printf("%d %d\n", assigned, (f.d = 511) == f.d);
    return 0;
}
