// round goes away from zero in the middle.
// run: explore
// twin: -DFIXED
// witness: object x f64 2.5
#include <klee/klee.h>
#include <math.h>

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
#ifdef FIXED
    x = trunc(x);
#endif
    if (round(x) == 3 && x * 2 == 5)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
