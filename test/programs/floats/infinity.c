// The square of a finite number.
// run: explore
// twin: -DFIXED
// witness: object x f64 1e200
#include <klee/klee.h>
#include <math.h>

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
#ifdef FIXED
    if (!(x < 1e150 && x > -1e150)) return 0;
#endif
    if (isfinite(x) && isinf(x * x))
        klee_assert(0); // expect: assertion-failure
    return 0;
}
