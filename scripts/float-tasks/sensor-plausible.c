// Two sensors agree within a tolerance and are both implausible.
// answer: error
#include <math.h>
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void)
{
    float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
    if (fabsf(a - b) <= 0.5f) {
        float value = (a + b) / 2;
        if (value > 1000 && value < 1001) reach_error();
    }
    return 0;
}
