// rint goes to the even neighbour in the middle.
// run: explore
// witness: object f f32 2.5
#include <klee/klee.h>
#include <math.h>

int main(void)
{
    float f;
    klee_make_symbolic(&f, sizeof f, "f");
    if (rintf(f) == 2 && f > 2.4999f)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
