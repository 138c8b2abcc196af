// klee_assert fails for the one value that a polynomial maps to 42.
// run: explore
// twin: -DFIXED
// paths: 2
// witness: object x i32 19
#include <klee/klee.h>

#ifdef FIXED
#define CONSTANT 44
#else
#define CONSTANT 42
#endif

int main(void)
{
    int x;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_assume(x >= 0);
    klee_assume(x < 100);
    int value = (x - 17) * (x + 2);
    klee_assert(value != CONSTANT); // expect: assertion-failure
    return 0;
}
