// A rotation by an amount that is input too.
// run: explore
// twin: -DFIXED
// witness: object x i32 -559038737; object amount i8 8
#include <klee/klee.h>
#include <stdint.h>

int main(void)
{
    uint32_t x;
    unsigned char amount;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&amount, sizeof amount, "amount");
    klee_assume(amount > 0);
    klee_assume(amount < 32);
    uint32_t rotated = x << amount | x >> (32 - amount);
#ifdef FIXED
    klee_assert((rotated >> amount | rotated << (32 - amount)) == x);
#else
    klee_assert(rotated != 0xadbeefde || x != 0xdeadbeef); // expect: assertion-failure
#endif
    return 0;
}
