// One is too small for the sum to notice.
// run: explore
// twin: -DFIXED
// witness: object x f64 1e16
#include <klee/klee.h>

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
#ifdef FIXED
    if (!(x < 1e15)) return 0;
#endif
    if (x > 0 && x < 1e17 && x + 1 == x)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
