// A difference overflows.
// answer: error
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
    __VERIFIER_assume(isfinite(x) && isfinite(y) && x > 0 && y < 0);
    if (isinf(x - y)) reach_error();
    return 0;
}
