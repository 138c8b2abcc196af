// Zero by zero is not a number, whatever its sign; and its bits say so.
// run: explore
// witness: object x f64 0
#include <klee/klee.h>
#include <stdint.h>
#include <string.h>

int main(void)
{
    double x;
    uint64_t bits;
    klee_make_symbolic(&x, sizeof x, "x");
    if (x != x) return 0;
    double q = x / x;
    memcpy(&bits, &q, sizeof bits);
    if ((bits << 1) > 0xffe0000000000000u && x == 0)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
