// Counting bits in four ways gives the same count for every input.
// run: explore
// twin: -DFIXED
// witness: object x i32 4095
#include <klee/klee.h>

static unsigned slow(unsigned x)
{
    unsigned count = 0;
    for (int i = 0; i < 32; i++)
        count += x >> i & 1;
    return count;
}

static unsigned parallel(unsigned x)
{
    x = x - (x >> 1 & 0x55555555);
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f;
    return x * 0x01010101 >> 24;
}

int main(void)
{
    unsigned x = (unsigned)klee_int("x");
#ifdef FIXED
    klee_assume(x < 4096);
    klee_assert(slow(x) == parallel(x) && parallel(x) == (unsigned)__builtin_popcount(x));
#else
    klee_assert(__builtin_popcount(x) != 12 || x != 4095 || slow(x) != parallel(x)); // expect: assertion-failure
#endif
    return 0;
}
