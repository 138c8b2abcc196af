// The bytes of a double can be looked at without any arithmetic.
// run: explore
// twin: -DFIXED
// witness: object x i64 4613937818241073152
#include <klee/klee.h>
#include <stdint.h>
#include <string.h>

int main(void)
{
    double x;
    uint64_t bits;
    klee_make_symbolic(&x, sizeof x, "x");
    memcpy(&bits, &x, sizeof bits);
#ifdef FIXED
    bits &= ~(1ull << 62);
#endif
    if (bits >> 52 == 1024)
        klee_assert((bits & 0xfffffffffffff) != 0x8000000000000); // expect: assertion-failure
    return 0;
}
