// What is cut off has the sign of the number.
// answer: error
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x > -100 && x < 100);
    double rest = x - trunc(x);
    if (rest == -0.75 && x < -50) reach_error();
    return 0;
}
