// Three terms of the sine leave the range.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > -3.2f && x < 3.2f);
    float x3 = x * x * x, x5 = x3 * x * x;
    float s = x - x3 / 6 + x5 / 120;
    if (s > 1) reach_error();
    return 0;
}
