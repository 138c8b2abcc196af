// A sum of two ints that may not fit: found by clang's own check, which is a branch like any other.
// run: explore --ubsan signed-integer-overflow
// twin: -DFIXED
// witness: object price i32 2147483000
// native: undefined
#include <klee/klee.h>
#include <limits.h>

int main(void)
{
    int price = klee_int("price");
    if (price < 0)
        return 1;
#ifdef FIXED
    if (price > INT_MAX - 1000)
        return 2;
#endif
    int total = price + 1000; // expect: undefined-behaviour
    return total == 5000;
}
