// A reduction to a quarter turn gives a negative rest.
// answer: error
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x >= 0 && x <= 100);
    double quarter = 1.5707963267948966;
    double n = floor(x / quarter + 0.5);
    double rest = x - n * quarter;
    if (rest < -0.78) reach_error();
    return 0;
}
