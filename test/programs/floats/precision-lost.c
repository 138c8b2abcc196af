// A double that is no float.
// run: explore
// witness: object x f64 0.1
#include <klee/klee.h>

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (x > 0.0999 && x < 0.1001 && (double)(float)x != x)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
