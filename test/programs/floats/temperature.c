// Where both scales agree.
// run: explore
// witness: object celsius f32 -40
#include <klee/klee.h>

int main(void)
{
    float celsius;
    klee_make_symbolic(&celsius, sizeof celsius, "celsius");
    if (celsius < -30 && celsius * 9 / 5 + 32 == celsius)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
