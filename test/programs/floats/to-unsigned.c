// The upper half of what is unsigned.
// run: explore
// witness: object x f64 4294967040
#include <klee/klee.h>

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (!(x >= 0 && x < 4294967296.0)) return 0;
    if ((unsigned)x == 0xffffff00u)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
