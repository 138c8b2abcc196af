// An index by the square root leaves the table.
// answer: error
#include <math.h>
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 0 && x <= 256);
    int index = (int)sqrtf(x);
    if (index >= 16) reach_error();
    return 0;
}
