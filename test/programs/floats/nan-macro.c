// isnan and isunordered.
// run: explore
// witness: object f f32 nan
#include <klee/klee.h>
#include <math.h>

int main(void)
{
    float f;
    klee_make_symbolic(&f, sizeof f, "f");
    if (isnan(f) && isunordered(f, 1.0f))
        klee_assert(0); // expect: assertion-failure
    return 0;
}
