// A point on an axis is in no quadrant.
// answer: error
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
    __VERIFIER_assume(isfinite(x) && isfinite(y) && x * x + y * y > 1);
    int quadrant = 0;
    if (x > 0 && y > 0) quadrant = 1;
    if (x < 0 && y > 0) quadrant = 2;
    if (x < 0 && y < 0) quadrant = 3;
    if (x > 0 && y < 0) quadrant = 4;
    if (quadrant == 0) reach_error();
    return 0;
}
