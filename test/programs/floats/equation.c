// A polynomial's third root.
// run: explore --stop-at-first
// witness: object x f64 3
#include <klee/klee.h>

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (!(x > 2.5 && x < 100)) return 0;
    if (((x - 6) * x + 11) * x - 6 == 0)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
