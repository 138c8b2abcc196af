// The last integers of 64 bits round up to 2^64.
// run: explore
// witness: object u i64 -1
#include <klee/klee.h>
#include <stdint.h>

int main(void)
{
    uint64_t u;
    klee_make_symbolic(&u, sizeof u, "u");
    if ((double)u == 18446744073709551616.0)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
