// ceil of what is just above a whole number.
// run: explore
// twin: -DFIXED
// witness: object x f64 7.25
#include <klee/klee.h>
#include <math.h>

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
#ifdef FIXED
    x = ceil(x);
#endif
    if (ceil(x) == 8 && x < 7.5)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
