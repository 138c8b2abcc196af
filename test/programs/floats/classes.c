// The macros of math.h that classify.
// run: explore
// witness: object x f64 1e-310
#include <klee/klee.h>
#include <math.h>

int main(void)
{
    double x;
    int seen = 0;
    klee_make_symbolic(&x, sizeof x, "x");
    switch (fpclassify(x)) {
    case FP_NAN: seen = 1; break;
    case FP_INFINITE: seen = 2; break;
    case FP_ZERO: seen = 3; break;
    case FP_SUBNORMAL: klee_assert(0); // expect: assertion-failure
    default: seen = 4; break;
    }
    return seen;
}
