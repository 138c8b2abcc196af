// Four comparisons leave one number.
// run: explore
// twin: -DFIXED
// witness: object x f64 1.5625
#include <klee/klee.h>

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
#ifdef FIXED
    if (x < 1.6) return 0;
#endif
    if (x > 1.5 && x < 1.75 && x != 1.625 && x * 4 == 6.25)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
