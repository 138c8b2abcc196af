// A bit set rounds its size down to whole bytes.
#include <stdio.h>
#include <stdlib.h>

static unsigned char *set_new(unsigned bits)
{
    return calloc(bits / 8, 1);
}

static void set_add(unsigned char *set, unsigned bit)
{
    set[bit >> 3] |= 1u << (bit & 7); // expect: heap-buffer-overflow read
}

static int set_has(const unsigned char *set, unsigned bit)
{
    return set[bit >> 3] >> (bit & 7) & 1;
}

int main(void)
{
    unsigned limit = 100, count = 0;
    unsigned char *composite = set_new(limit);
    for (unsigned i = 2; i < limit; i++) {
        if (set_has(composite, i))
            continue;
        count++;
        for (unsigned k = i * i; k < limit; k += i)
            set_add(composite, k);
    }
    printf("%u primes\n", count);
    free(composite);
    return 0;
}
