// Two inputs and their sum.
// run: explore
// witness: object x f64 1.5; object y f64 2.25
#include <klee/klee.h>

int main(void)
{
    double x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    if (x > 1 && y > 2 && x + y == 3.75)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
