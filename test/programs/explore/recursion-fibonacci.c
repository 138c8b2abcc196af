// Recursion whose depth is symbolic: one path for each depth.
// run: explore
// paths: 8
#include <klee/klee.h>

static unsigned fibonacci(unsigned n)
{
    if (n < 2)
        return n;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
    unsigned n = (unsigned)klee_range(2, 10, "n");
    unsigned value = fibonacci(n);
    klee_assert(value >= 1);
    return 0;
}
