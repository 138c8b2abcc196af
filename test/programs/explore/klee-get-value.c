// A concrete value that fits the path so far.
// run: explore
// paths: 1
// native: none (nothing is symbolic natively)
#include <klee/klee.h>

int main(void)
{
    int x;
    long y;
    long long z;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    klee_make_symbolic(&z, sizeof z, "z");
    klee_assume(x > 1000 && x < 1010);
    klee_assume(y < -5);
    klee_assume(z == 0x123456789abcdef);
    int32_t a = klee_get_value_i32(x);
    klee_assert(a > 1000 && a < 1010 && !klee_is_symbolic(a));
    long b = klee_get_value_l(y);
    klee_assert(b < -5 && !klee_is_symbolic(b));
    long long c = klee_get_value_ll(z);
    klee_assert(c == 0x123456789abcdef && !klee_is_symbolic(c));
    int64_t d = klee_get_value_i64((int64_t)x * 2);
    klee_assert(d % 2 == 0 && d > 2000);
    klee_assert(klee_get_value_f(2.5f) == 2.5f && klee_get_value_d(-0.25) == -0.25);
    return 0;
}
