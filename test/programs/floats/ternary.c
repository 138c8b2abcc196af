// Choices without branches.
// run: explore
// witness: object x f64 0.25; object y f64 0.75
#include <klee/klee.h>

int main(void)
{
    double x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    double larger = x > y ? x : y;
    double smaller = x > y ? y : x;
    if (larger == 0.75 && smaller == 0.25 && x < y)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
