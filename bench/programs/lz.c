// A compressor of the LZ77 family with hash chains, and its decompressor; the round trip is checked.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 1 << 15, HASH = 1 << 14, LEAST = 4, MOST = 259, CHAIN = 32 };

static int head[HASH], previous[WINDOW];

static unsigned hash_at(const unsigned char *p)
{
    uint32_t v;
    memcpy(&v, p, 4);
    return v * 2654435761u >> 18;
}

static size_t compress(const unsigned char *in, size_t n, unsigned char *out)
{
    size_t o = 0, literals = 0, i = 0;
    memset(head, -1, sizeof head);
    while (i < n) {
        size_t best = 0, distance = 0;
        if (i + LEAST <= n) {
            unsigned h = hash_at(in + i);
            int candidate = head[h];
            for (int tries = 0; tries < CHAIN && candidate >= 0 && i - candidate < WINDOW; tries++) {
                size_t length = 0, limit = n - i < MOST ? n - i : MOST;
                while (length < limit && in[candidate + length] == in[i + length])
                    length++;
                if (length > best) {
                    best = length;
                    distance = i - candidate;
                }
                int older = previous[candidate & (WINDOW - 1)];
                if (older >= candidate)
                    break;
                candidate = older;
            }
        }
        size_t step = best >= LEAST ? best : 1;
        if (best >= LEAST || literals == 127) {
            if (literals) {
                out[o++] = (unsigned char)literals;
                memcpy(out + o, in + i - literals, literals);
                o += literals;
                literals = 0;
            }
        }
        if (best >= LEAST) {
            out[o++] = 0x80;
            out[o++] = (unsigned char)(best - LEAST);
            out[o++] = (unsigned char)(distance >> 8);
            out[o++] = (unsigned char)distance;
        } else {
            literals++;
        }
        for (; step > 0; step--, i++)
            if (i + LEAST <= n) {
                unsigned h = hash_at(in + i);
                previous[i & (WINDOW - 1)] = head[h];
                head[h] = (int)i;
            }
    }
    if (literals) {
        out[o++] = (unsigned char)literals;
        memcpy(out + o, in + n - literals, literals);
        o += literals;
    }
    return o;
}

static size_t expand(const unsigned char *in, size_t n, unsigned char *out)
{
    size_t o = 0;
    for (size_t i = 0; i < n;) {
        unsigned c = in[i++];
        if (c & 0x80) {
            size_t length = in[i] + LEAST, distance = in[i + 1] << 8 | in[i + 2];
            i += 3;
            for (; length > 0; length--, o++)
                out[o] = out[o - distance];
        } else {
            memcpy(out + o, in + i, c);
            i += c;
            o += c;
        }
    }
    return o;
}

int main(void)
{
    enum { SIZE = 1500000 };
    unsigned char *data = malloc(SIZE), *packed = malloc(SIZE + SIZE / 64 + 16), *back = malloc(SIZE);
    uint32_t seed = 11;
    for (size_t i = 0; i < SIZE;) {
        seed = seed * 1664525 + 1013904223;
        size_t n = 3 + (seed >> 28);
        if (i > 1000 && seed >> 24 & 7) {
            size_t from = i - 20 - (seed >> 8) % 900;
            for (; n > 0 && i < SIZE; n--)
                data[i++] = data[from++];
        } else {
            for (; n > 0 && i < SIZE; n--)
                data[i++] = 'a' + ((seed = seed * 1664525 + 1013904223) >> 27);
        }
    }
    size_t total = 0, good = 0;
    for (int round = 0; round < 9; round++) {
        data[round * 1000] ^= 1;
        size_t n = compress(data, SIZE, packed);
        size_t m = expand(packed, n, back);
        total += n;
        good += m == SIZE && memcmp(data, back, SIZE) == 0;
    }
    printf("%zu %zu\n", total, good);
    free(data);
    free(packed);
    free(back);
    return 0;
}
