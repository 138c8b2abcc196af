// The mean of two numbers lies between them, unless the sum overflows.
// run: explore --stop-at-first
// witness: object a f64 1.7e308; object b f64 1.7e308
#include <klee/klee.h>

int main(void)
{
    double a, b;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    if (!(a > 0 && a <= b && b < 1.75e308)) return 0;
    double mean = (a + b) / 2;
    klee_assert(mean <= b); // expect: assertion-failure
    return 0;
}
