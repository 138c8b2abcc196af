// Above 2^24 not every integer is a float.
// run: explore
// witness: object n i32 16777217
#include <klee/klee.h>

int main(void)
{
    int n;
    klee_make_symbolic(&n, sizeof n, "n");
    if (n < 0 || n > 20000000) return 0;
    if ((int)(float)n != n)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
