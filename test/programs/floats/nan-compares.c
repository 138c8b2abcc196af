// Neither less nor not less.
// run: explore
// twin: -DFIXED
// witness: object x f64 nan; object y f64 1
#include <klee/klee.h>

int main(void)
{
    double x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
#ifdef FIXED
    if (x != x || y != y) return 0;
#endif
    if (!(x < y) && !(x >= y))
        klee_assert(0); // expect: assertion-failure
    return 0;
}
