// The naive hypotenuse overflows.
// answer: error
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double();
    __VERIFIER_assume(a > 0 && a < 1e200 && b > 0 && b < 1e200);
    if (isinf(sqrt(a * a + b * b))) reach_error();
    return 0;
}
