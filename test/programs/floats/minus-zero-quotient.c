// One divided by minus zero is below everything.
// run: explore
// witness: object x f64 -0
#include <klee/klee.h>

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (x == 0 && 1 / x < -1e300)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
