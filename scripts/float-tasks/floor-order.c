// Floor is not above.
// answer: none
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x == x);
    if (floor(x) > x) reach_error();
    return 0;
}
