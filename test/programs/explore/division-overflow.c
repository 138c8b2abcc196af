// The smallest int divided by -1.
// run: explore
// twin: -DFIXED
// witness: object a i32 -2147483648; object b i32 -1
#include <klee/klee.h>
#include <limits.h>

int main(void)
{
    int a = klee_int("a"), b = klee_int("b");
    if (b == 0 || b > 0)
        return 0;
#ifdef FIXED
    if (a == INT_MIN)
        return 0;
#endif
    return a / b == 17; // expect: division-overflow
}
