// The two halves of a number.
// run: explore
// witness: object x f64 12.375
#include <klee/klee.h>
#include <math.h>

int main(void)
{
    double x, whole;
    klee_make_symbolic(&x, sizeof x, "x");
    double fraction = modf(x, &whole);
    if (whole == 12 && fraction == 0.375)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
