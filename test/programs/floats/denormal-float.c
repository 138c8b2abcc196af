// The largest numbers below FLT_MIN.
// run: explore
// witness: object f f32 1e-38
#include <float.h>
#include <klee/klee.h>

int main(void)
{
    float f;
    klee_make_symbolic(&f, sizeof f, "f");
    if (f > 0 && f < FLT_MIN && f * 2 >= FLT_MIN)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
