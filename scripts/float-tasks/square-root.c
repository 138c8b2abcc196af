// The square of a root is not the number.
// answer: error
#include <math.h>
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > 1 && x < 2);
    float r = sqrtf(x);
    if (r * r > x) reach_error();
    return 0;
}
