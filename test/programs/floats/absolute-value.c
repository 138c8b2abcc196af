// fabs is an operation on the sign bit.
// run: explore
// twin: -DFIXED
// witness: object x f64 -2.5
#include <klee/klee.h>
#include <math.h>

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
#ifdef FIXED
    x = fabs(x);
#endif
    if (fabs(x) == 2.5 && x < 0)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
