// Ten times a tenth is not one.
// run: explore
// witness: object n i8 10
#include <klee/klee.h>

int main(void)
{
    unsigned char n;
    klee_make_symbolic(&n, sizeof n, "n");
    if (n > 12) return 0;
    float sum = 0;
    for (int i = 0; i < n; i++) sum += 0.1f;
    if (sum > 1.0f && sum < 1.05f)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
