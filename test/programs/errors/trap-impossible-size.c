// Traps deliberately on a table size that its own arithmetic produces.
// native: none (a trap is SIGILL, which the sanitizers do not report)
#include <stdio.h>

static unsigned round_up(unsigned n)
{
    unsigned size = 1;
    while (size < n)
        size *= 2;
    return n > 4 ? size - 1 : size;
}

static unsigned mask(unsigned size)
{
    if (size & (size - 1))
        __builtin_trap(); // expect: trap
    return size - 1;
}

int main(void)
{
    for (unsigned n = 1; n < 8; n += 2)
        printf("%u\n", mask(round_up(n)));
    return 0;
}
