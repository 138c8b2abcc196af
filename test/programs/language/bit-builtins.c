// Counting and moving bits: clz, ctz, popcount, parity, ffs, bswap, rotations, expect, prefetch, object_size.
// stdout: 63 0 1 1 1 31 0 1 1 30
// stdout: 100 1000000 100000000000000
// stdout: 2 8000000000000000 400000 40000000000 800 200000 8
// stdout: 62 1 1 1 2 30 1 1 1 29
// stdout: 200 2000000 200000000000000
// stdout: 4 1 800000 80000000000 1000 400000 10
// stdout: 32 31 1 1 32 0 31 1 1 0
// stdout: 0 80 8000000000
// stdout: 1 40000000 200000 200 400 10000000000000 0
// stdout: 32 0 32 0 1 0 0 32 0 31
// stdout: ffff ffffffff ffffffff00000000
// stdout: ffffffff 800000007fffffff ffffffff fffffc00000003ff ffffffff 1fffffffe00000 ff
// stdout: 7 0 32 0 1 0 0 20 0 0
// stdout: efcd efcdab89 efcdab8967452301
// stdout: 13579bdf 8091a2b3c4d5e6f7 7be26af3 af37bc048d159e26 5e6f7c4d acf13579bde02468 7f
// stdout: 0 63 1 1 64 0 31 1 1 0
// stdout: 0 80 80
// stdout: 1 4000000000000000 200000 20000000000 400 100000 0
// stdout: 8 0 32 0 1 8 0 16 0 7
// stdout: ff00 ff00ff00 ff00ff00ff00ff00
// stdout: 1fe01fe 807f807f807f807f 3fc03fc0 fc03fc03fc03fc03 f807f807 1fe01fe01fe01fe0 ff
// stdout: expected
// stdout: 10
// stdout: 0 4
#include <stdint.h>
#include <stdio.h>

static volatile uint64_t values[] = { 1, 2, 0x80000000u, 0xffffffffu, 0x123456789abcdefu, 1ull << 63, 0x00ff00ff00ff00ffu };

static uint32_t rotate_left(uint32_t x, int n) { return x << (n & 31) | x >> (-n & 31); }
static uint64_t rotate_right(uint64_t x, int n) { return x >> (n & 63) | x << (-n & 63); }
static uint8_t rotate_byte(uint8_t x, int n) { return (uint8_t)(x << n | x >> (8 - n)); }

int main(void)
{
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        uint64_t v = values[i];
        uint32_t w = (uint32_t)(v | v >> 32);
        printf("%d %d %d %d %d ", __builtin_clzll(v), __builtin_ctzll(v), __builtin_popcountll(v), __builtin_parityll(v),
               __builtin_ffsll((long long)v));
        printf("%d %d %d %d %d\n", __builtin_clz(w), __builtin_ctz(w), __builtin_popcount(w), __builtin_parity(w),
               __builtin_clrsb((int)w));
        printf("%x %x %llx\n", __builtin_bswap16((uint16_t)v), __builtin_bswap32(w), (unsigned long long)__builtin_bswap64(v));
        for (int n = 1; n < 64; n += 21)
            printf("%x %llx ", rotate_left(w, n), (unsigned long long)rotate_right(v, n));
        printf("%x\n", rotate_byte((uint8_t)w, 3));
    }
    if (__builtin_expect(values[0] == 1, 1))
        printf("expected\n");
    __builtin_prefetch((void *)values);
    char buffer[10];
    printf("%d\n", (int)__builtin_object_size(buffer, 0));
    printf("%d %d\n", __builtin_ffs(0), __builtin_ffs(-8));
    return 0;
}
