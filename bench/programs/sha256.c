// Hashing: SHA-256 of a long pseudo-random message, block by block.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct sha256 {
    uint32_t state[8];
    uint64_t length;
    unsigned char block[64];
    unsigned used;
};

static uint32_t constants[64];

static uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }

/* The first 32 bits of the fractional parts of roots of the first primes, by integer search. */
static uint32_t root_bits(unsigned prime, int power)
{
    double low = 0, high = prime;
    for (int i = 0; i < 200; i++) {
        double middle = (low + high) / 2, value = power == 2 ? middle * middle : middle * middle * middle;
        if (value < prime)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)((low - (double)(unsigned)low) * 4294967296.0);
}

static void begin(struct sha256 *s)
{
    unsigned count = 0;
    for (unsigned n = 2; count < 64; n++) {
        int prime = 1;
        for (unsigned d = 2; d * d <= n; d++)
            prime &= n % d != 0;
        if (!prime)
            continue;
        constants[count] = root_bits(n, 3);
        if (count < 8)
            s->state[count] = root_bits(n, 2);
        count++;
    }
    s->length = 0;
    s->used = 0;
}

static void compress(struct sha256 *s, const unsigned char *block)
{
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | block[4 * i + 1] << 16 | block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    memcpy(v, s->state, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t e = v[4], a = v[0];
        uint32_t t1 = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + constants[i] + w[i];
        uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        v[7] = v[6];
        v[6] = v[5];
        v[5] = e;
        v[4] = v[3] + t1;
        v[3] = v[2];
        v[2] = v[1];
        v[1] = a;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        s->state[i] += v[i];
}

static void update(struct sha256 *s, const unsigned char *data, size_t n)
{
    s->length += n;
    while (n > 0) {
        size_t part = 64 - s->used < n ? 64 - s->used : n;
        memcpy(s->block + s->used, data, part);
        s->used += part;
        data += part;
        n -= part;
        if (s->used == 64) {
            compress(s, s->block);
            s->used = 0;
        }
    }
}

static void finish(struct sha256 *s)
{
    uint64_t bits = s->length * 8;
    unsigned char end[72] = { 0x80 };
    size_t padding = (s->used < 56 ? 56 : 120) - s->used;
    for (int i = 0; i < 8; i++)
        end[padding + i] = bits >> (56 - 8 * i);
    update(s, end, padding + 8);
}

int main(void)
{
    struct sha256 s;
    unsigned char data[1000] = { 0 };
    uint32_t seed = 1;
    begin(&s);
    for (int round = 0; round < 60000; round++) {
        data[round % 1000] = (seed = seed * 1664525 + 1013904223) >> 24;
        update(&s, data, 300 + round % 700);
    }
    finish(&s);
    for (int i = 0; i < 8; i++)
        printf("%08x", s.state[i]);
    putchar('\n');
    return 0;
}
