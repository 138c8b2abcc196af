// The overflow builtins on symbolic operands.
// run: explore
// twin: -DFIXED
// witness: object a i32 2000000000; object b i32 2000000000
#include <klee/klee.h>
#include <limits.h>

static int add(int a, int b)
{
    int sum;
    if (__builtin_add_overflow(a, b, &sum))
        return a < 0 ? INT_MIN : INT_MAX;
    return sum;
}

int main(void)
{
    int a = klee_int("a"), b = klee_int("b");
    int sum = add(a, b);
#ifdef FIXED
    klee_assume(a > 0);
    klee_assert(sum >= b);
#else
    klee_assert(sum != INT_MAX || a < 1000 || b < 1000); // expect: assertion-failure
#endif
    return 0;
}
