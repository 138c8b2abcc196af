// Fmax of a number and anything is a number.
// answer: none
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double();
    __VERIFIER_assume(a == a);
    double m = fmax(a, b);
    if (m != m) reach_error();
    return 0;
}
