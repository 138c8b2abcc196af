// Division and remainder of negative numbers round towards zero, also for symbolic ones.
// run: explore
// twin: -DFIXED
// witness: object x i8 -7
#include <klee/klee.h>

int main(void)
{
    signed char x;
    klee_make_symbolic(&x, sizeof x, "x");
#ifdef FIXED
    klee_assert(x / 4 * 4 + x % 4 == x);
    klee_assert(x >> 2 <= x / 4);
#else
    klee_assert(!(x / 4 == -1 && x % 4 == -3 && x >> 2 == -2)); // expect: assertion-failure
#endif
    return 0;
}
