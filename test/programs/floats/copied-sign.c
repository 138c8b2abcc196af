// copysign takes the sign of a zero too.
// run: explore
// witness: object x f64 -0
#include <klee/klee.h>
#include <math.h>

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (x == 0 && copysign(3.5, x) == -3.5)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
