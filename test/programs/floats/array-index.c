// One step too far in a table, at exactly one value of the input.
// run: explore
// twin: -DFIXED
// witness: object x f64 1
#include <klee/klee.h>

static int table[10] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};

int main(void)
{
    double x;
    klee_make_symbolic(&x, sizeof x, "x");
#ifdef FIXED
    if (!(x >= 0 && x < 1)) return 1;
#else
    if (!(x >= 0 && x <= 1)) return 1;
#endif
    return table[(int)(x * 10)] == 7; // expect: global-buffer-overflow read
}
