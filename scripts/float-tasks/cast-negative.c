// A conversion cuts toward zero.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > -100 && x < 0);
    int n = (int)x;
    if (n == 0 && x < -0.99f) reach_error();
    return 0;
}
