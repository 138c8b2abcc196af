// The value of a conversion.
// run: explore
// twin: -DFIXED
// witness: object x f64 4242.5
#include <klee/klee.h>

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
#ifdef FIXED
    if (x > 4000) return 0;
#endif
    if ((int)x == 4242)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
