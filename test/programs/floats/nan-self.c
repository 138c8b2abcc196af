// What is not equal to itself.
// run: explore
// twin: -DFIXED
// witness: object x f64 nan
#include <klee/klee.h>

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
#ifdef FIXED
    if (!(x < 0) && !(x >= 0)) return 0;
#endif
    if (x != x)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
