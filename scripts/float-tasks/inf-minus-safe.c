// A difference of numbers of the same sign does not overflow.
// answer: none
#include <math.h>
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
    __VERIFIER_assume(isfinite(x) && isfinite(y) && x > 0 && y > 0);
    if (isinf(x - y)) reach_error();
    return 0;
}
