// Toward zero, also for what is negative.
// run: explore
// twin: -DFIXED
// witness: object f f32 -7.5
#include <klee/klee.h>

int main(void)
{
    float f;
    klee_make_symbolic(&f, sizeof f, "f");
#ifdef FIXED
    if (!(f > -7)) return 0;
#endif
    if ((int)f == -7)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
