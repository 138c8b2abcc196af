// Two infinities of different sign make no number.
// answer: error
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
    __VERIFIER_assume(!isnan(x) && !isnan(y));
    if (isnan(x + y)) reach_error();
    return 0;
}
