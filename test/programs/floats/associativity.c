// Sums of three depend on the order.
// run: explore --stop-at-first
// witness: object a f64 1; object b f64 1e16; object c f64 -1e16
#include <klee/klee.h>

int main(void)
{
    double a, b, c;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    klee_make_symbolic(&c, sizeof c, "c");
    if (a == a && a + b == a + b && b + c == b + c && (a + b) + c != a + (b + c))
        klee_assert(0); // expect: assertion-failure
    return 0;
}
