// A product is minus zero.
// answer: error
#include <math.h>
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > 0 && y < 0);
    float p = x * y;
    if (p == 0 && signbit(p)) reach_error();
    return 0;
}
