// The sieve of Eratosthenes, in bytes on the heap and in bits of a global array.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 4000000 };

static unsigned bits[LIMIT / 32 + 1];

static unsigned sieve_bytes(unsigned char *composite)
{
    unsigned count = 0;
    memset(composite, 0, LIMIT);
    for (unsigned i = 2; i < LIMIT; i++) {
        if (composite[i])
            continue;
        count++;
        for (unsigned long k = (unsigned long)i * i; k < LIMIT; k += i)
            composite[k] = 1;
    }
    return count;
}

static unsigned sieve_bits(void)
{
    unsigned count = 0;
    memset(bits, 0, sizeof bits);
    for (unsigned i = 2; i < LIMIT; i++) {
        if (bits[i >> 5] >> (i & 31) & 1)
            continue;
        count++;
        for (unsigned long k = (unsigned long)i * i; k < LIMIT; k += i)
            bits[k >> 5] |= 1u << (k & 31);
    }
    return count;
}

int main(void)
{
    unsigned char *composite = malloc(LIMIT);
    unsigned sum = 0;
    for (int round = 0; round < 7; round++)
        sum = sum * 3 + sieve_bytes(composite) + sieve_bits();
    printf("%u\n", sum);
    free(composite);
    return 0;
}
