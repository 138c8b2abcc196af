// An integer divided as a double.
// run: explore
// twin: -DFIXED
// witness: object n i32 11
#include <klee/klee.h>

int main(void)
{
    int n;
    klee_make_symbolic(&n, sizeof n, "n");
#ifdef FIXED
    n &= ~1;
#endif
    if (n / 4.0 == 2.75)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
