// The square root of what is negative.
// run: explore
// witness: object f f32 -1
#include <klee/klee.h>
#include <math.h>

int main(void)
{
    float f;
    klee_make_symbolic(&f, sizeof f, "f");
    if (f == f && sqrtf(f) != sqrtf(f))
        klee_assert(0); // expect: assertion-failure
    return 0;
}
