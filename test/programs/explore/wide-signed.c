// Signed 128-bit numbers: negation, comparison and shifts keep the sign.
// run: explore
// twin: -DFIXED
// witness: object x i64 -3
#include <klee/klee.h>
#include <stdint.h>

int main(void)
{
    int64_t x;
    klee_make_symbolic(&x, sizeof x, "x");
    __int128 wide = (__int128)x << 40;
#ifdef FIXED
    klee_assert((wide >> 40) == x);
    klee_assert((wide < 0) == (x < 0));
#else
    klee_assert(-wide != (__int128)3 << 40); // expect: assertion-failure
#endif
    return 0;
}
