// Arithmetic on 128 bits: sums that carry into the upper half, comparisons, shifts.
// run: explore
// twin: -DFIXED
// witness: object a i64 18446744073709551615; object b i64 5
#include <klee/klee.h>
#include <stdint.h>

typedef unsigned __int128 wide;

int main(void)
{
    uint64_t a, b;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    wide sum = (wide)a + b;
    uint64_t upper = (uint64_t)(sum >> 64);
#ifdef FIXED
    klee_assert(upper <= 1);
    klee_assert(sum >= a && sum >= b);
#else
    klee_assert(!(upper == 1 && (uint64_t)sum == 4 && b == 5)); // expect: assertion-failure
#endif
    return 0;
}
