// floor goes down.
// run: explore
// witness: object x f64 -2.5
#include <klee/klee.h>
#include <math.h>

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (floor(x) == -3 && x != -3 && (int)x == -2)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
