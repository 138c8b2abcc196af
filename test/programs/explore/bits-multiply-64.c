// A 64-bit product with a given result: multiplication by an odd constant has an inverse.
// run: explore
// twin: -DFIXED
// witness: object x i64 81985529216486895
#include <klee/klee.h>
#include <stdint.h>

int main(void)
{
    uint64_t x;
    klee_make_symbolic(&x, sizeof x, "x");
    uint64_t product = x * 6364136223846793005ull + 1442695040888963407ull;
#ifdef FIXED
    klee_assert((product & 1) != (x & 1));
#else
    klee_assert(product != 3234478586633078098ull); // expect: assertion-failure
#endif
    return 0;
}
