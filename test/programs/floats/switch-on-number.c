// A switch on what a float becomes.
// run: explore
// covers: all
// witness: object f f32 3.5
#include <klee/klee.h>

int main(void)
{
    float f;
    klee_make_symbolic(&f, sizeof f, "f");
    switch ((int)(f * 2)) {
    case 1: return 1;
    case 5: return 5;
    case 7: klee_assert(0); // expect: assertion-failure
    default: return 0;
    }
}
