// The argument of a square root.
// run: explore
// twin: -DFIXED
// witness: object x f64 2.25
#include <klee/klee.h>
#include <math.h>

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
#ifdef FIXED
    if (x > 2) return 0;
#endif
    if (sqrt(x) == 1.5)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
