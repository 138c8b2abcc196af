// Makes a mask of as many bits as asked for, 32 included.
// options: --ubsan all
#include <stdio.h>

static unsigned mask(int bits)
{
    return (1u << bits) - 1; // expect: undefined-behaviour
}

int main(void)
{
    for (int bits = 8; bits <= 32; bits += 8)
        printf("%08x\n", mask(bits));
    return 0;
}
