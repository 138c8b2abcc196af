// Rounded once, the product and the difference are not the same as rounded twice.
// run: explore --stop-at-first
// witness: object x f64 1.0000000000000002
#include <klee/klee.h>
#include <math.h>

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (!(x > 1 && x < 2)) return 0;
    double product = x * x;
    if (fma(x, x, -product) != 0)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
