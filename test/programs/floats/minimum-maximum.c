// fmin and fmax of two inputs.
// run: explore
// witness: object x f64 7; object y f64 -7
#include <klee/klee.h>
#include <math.h>

int main(void)
{
    double x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    if (fmax(x, y) == 7 && fmin(x, y) == -7)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
