// A finite double becomes an infinite float.
// run: explore
// witness: object x f64 1e39
#include <klee/klee.h>
#include <math.h>

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (isfinite(x) && isinf((float)x))
        klee_assert(0); // expect: assertion-failure
    return 0;
}
