// ldexp and frexp are integer work on the exponent.
// run: explore --stop-at-first
// witness: object x f64 0.75; object e i8 4
#include <klee/klee.h>
#include <math.h>

int main(void)
{
    double x;
    signed char e;
    int exponent;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&e, sizeof e, "e");
    if (e < 2 || e > 6 || !(x > 0.5 && x < 1)) return 0;
    if (ldexp(x, e) == 12 && frexp(x, &exponent) == 0.75 && exponent == 0)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
