// Halves go to the even neighbour.
// answer: error
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x > 0 && x < 100);
    if (nearbyint(x) - x == -0.5 && nearbyint(x) == 42) reach_error();
    return 0;
}
