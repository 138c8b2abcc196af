// Half of the smallest number is zero.
// run: explore
// witness: object x f64 5e-324
#include <klee/klee.h>

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (x > 0 && x / 2 == 0)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
