// Doubles among variable arguments.
// run: explore
// witness: object x f64 1.25
#include <klee/klee.h>
#include <stdarg.h>

static double sum(int count, ...)
{
    va_list list;
    double total = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) total += va_arg(list, double);
    va_end(list);
    return total;
}

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (sum(3, x, 0.5, x) == 3)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
