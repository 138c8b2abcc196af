// Fused and separate rounding differ.
// answer: error
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
    __VERIFIER_assume(x > 1 && x < 2 && y > 1 && y < 2);
    if (fma(x, y, -1) != x * y - 1) reach_error();
    return 0;
}
