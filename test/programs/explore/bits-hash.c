// A hash made of shifts and exclusive ors can be run backwards by the solver.
// run: explore
// twin: -DFIXED
// witness: object seed i32 305419896
#include <klee/klee.h>

int main(void)
{
    unsigned seed = (unsigned)klee_int("seed"), hash = seed;
    hash ^= hash << 13;
    hash ^= hash >> 17;
    hash ^= hash << 5;
#ifdef FIXED
    if (seed != 0)
        klee_assert(hash != 0);
#else
    klee_assert(hash != 0x87985aa5); // expect: assertion-failure
#endif
    return 0;
}
