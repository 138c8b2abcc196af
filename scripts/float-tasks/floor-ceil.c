// Floor and ceil of what is not whole are one apart.
// answer: error
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x > -10 && x < 10);
    if (ceil(x) - floor(x) == 1 && floor(x) == -4) reach_error();
    return 0;
}
