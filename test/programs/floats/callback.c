// Doubles through a pointer to a function.
// run: explore
// twin: -DFIXED
// witness: object x f64 4.5; object which i8 1
#include <klee/klee.h>

static double twice(double x) { return x * 2; }
static double half(double x) { return x / 2; }

int main(void)
{
    double x;
    unsigned char which;
    double (*functions[2])(double) = {half, twice};
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&which, sizeof which, "which");
#ifdef FIXED
    which = 0;
    if (x < 10) return 0;
#endif
    if (which > 1) return 0;
    if (functions[which](x) == 9 && x < 5)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
