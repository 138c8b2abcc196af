// Rounds a table size up so that its deliberate trap is not met.
// native: none (a trap is SIGILL, which the sanitizers do not report)
// stdout: 0
// stdout: 3
// stdout: 7
// stdout: 7
#include <stdio.h>

static unsigned round_up(unsigned n)
{
    unsigned size = 1;
    while (size < n)
        size *= 2;
    return size;
}

static unsigned mask(unsigned size)
{
    if (size & (size - 1))
        __builtin_trap();
    return size - 1;
}

int main(void)
{
    for (unsigned n = 1; n < 8; n += 2)
        printf("%u\n", mask(round_up(n)));
    return 0;
}
