// The bits of a computed number.
// run: explore
// witness: object x f64 3.25
#include <klee/klee.h>
#include <stdint.h>

int main(void)
{
    union {
        double d;
        uint64_t u;
    } view;
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
    view.d = x * 2;
    if (view.u == 0x401a000000000000u)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
