// The reciprocal of a tiny number is infinite.
// answer: error
#include <math.h>
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > 0);
    if (isinf(1 / x)) reach_error();
    return 0;
}
