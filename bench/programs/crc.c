// Checksums: CRC-32 by table, by bits and in slices of four, and Adler-32, over one buffer.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t table[4][256];

static void prepare(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[0][i] = c;
    }
    for (int i = 0; i < 256; i++)
        for (int t = 1; t < 4; t++)
            table[t][i] = table[t - 1][i] >> 8 ^ table[0][table[t - 1][i] & 255];
}

static uint32_t by_table(const unsigned char *p, size_t n)
{
    uint32_t c = ~0u;
    while (n--)
        c = table[0][(c ^ *p++) & 255] ^ c >> 8;
    return ~c;
}

static uint32_t by_bits(const unsigned char *p, size_t n)
{
    uint32_t c = ~0u;
    while (n--) {
        c ^= *p++;
        for (int k = 0; k < 8; k++)
            c = c >> 1 ^ (0xedb88320u & -(c & 1));
    }
    return ~c;
}

static uint32_t by_slices(const unsigned char *p, size_t n)
{
    uint32_t c = ~0u;
    for (; n >= 4; n -= 4, p += 4) {
        c ^= p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
        c = table[3][c & 255] ^ table[2][c >> 8 & 255] ^ table[1][c >> 16 & 255] ^ table[0][c >> 24];
    }
    while (n--)
        c = table[0][(c ^ *p++) & 255] ^ c >> 8;
    return ~c;
}

static uint32_t adler(const unsigned char *p, size_t n)
{
    uint32_t a = 1, b = 0;
    while (n--) {
        a = (a + *p++) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

int main(void)
{
    enum { SIZE = 4 << 20 };
    unsigned char *data = malloc(SIZE);
    uint32_t seed = 1, sum = 0;
    for (int i = 0; i < SIZE; i++)
        data[i] = (seed = seed * 1664525 + 1013904223) >> 24;
    prepare();
    for (int round = 0; round < 8; round++) {
        data[round]++;
        sum = sum * 3 + by_table(data, SIZE);
        sum = sum * 3 + by_slices(data, SIZE);
        sum = sum * 3 + adler(data, SIZE);
        if (round % 4 == 0)
            sum = sum * 3 + by_bits(data, SIZE);
    }
    printf("%08x\n", sum);
    free(data);
    return 0;
}
