// A rounded number is at most a half away.
// answer: none
#include <math.h>
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > -1000 && x < 1000);
    if (fabsf(rintf(x) - x) > 0.5f) reach_error();
    return 0;
}
