// The logarithm of a number by counting leading zeros, and by a loop.
// run: explore
// twin: -DFIXED
// witness: object x i16 512
#include <klee/klee.h>

int main(void)
{
    unsigned short x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (x == 0)
        return 1;
    int logarithm = 31 - __builtin_clz(x), trailing = __builtin_ctz(x);
#ifdef FIXED
    klee_assert(x >> logarithm == 1);
    klee_assert(trailing <= logarithm);
#else
    klee_assert(logarithm != 9 || trailing != 9); // expect: assertion-failure
#endif
    return 0;
}
