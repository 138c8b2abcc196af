// A question no solver answers in a millisecond: it is given up, counted, and not taken for a no.
// run: explore --max-solver-time 0.001 --max-paths 20
// loses: unknown
#include <klee/klee.h>
#include <stdint.h>

int main(void)
{
    uint64_t p, q;
    klee_make_symbolic(&p, sizeof p, "p");
    klee_make_symbolic(&q, sizeof q, "q");
    klee_assume(p > 1 && q > 1 && p < 1ull << 32 && q < 1ull << 32);
    if (p * q == 17368265239350517697ull)
        return 1;
    return 0;
}
