// The root of what is between 1 and 4 is between 1 and 2.
// answer: none
#include <math.h>
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 1 && x <= 4);
    float r = sqrtf(x);
    if (!(r >= 1 && r <= 2)) reach_error();
    return 0;
}
