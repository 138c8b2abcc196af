// Makes a mask of as many bits as asked for, 32 included, by way of 64.
// options: --ubsan all
// stdout: 000000ff
// stdout: 0000ffff
// stdout: 00ffffff
// stdout: ffffffff
#include <stdio.h>

static unsigned mask(int bits)
{
    return (unsigned)((1ul << bits) - 1);
}

int main(void)
{
    for (int bits = 8; bits <= 32; bits += 8)
        printf("%08x\n", mask(bits));
    return 0;
}
