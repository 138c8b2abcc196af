// A number between -1 and 1 is zero as an integer.
// run: explore
// twin: -DFIXED
// witness: object x f64 0.5
#include <klee/klee.h>

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
#ifdef FIXED
    if (!(x >= 1 && x < 1000)) return 0;
#else
    if (!(x > 0 && x < 1000)) return 0;
#endif
    return 100 / (int)x; // expect: division-by-zero
}
