// Minus zero is zero, and has a sign.
// run: explore
// witness: object x f64 -0
#include <klee/klee.h>
#include <math.h>

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (x == 0 && signbit(x))
        klee_assert(0); // expect: assertion-failure
    return 0;
}
