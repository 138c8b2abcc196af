// Three terms of the sine of a small angle stay in the range.
// answer: none
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > -0.5f && x < 0.5f);
    float s = x - x * x * x / 6;
    if (s > 0.6f) reach_error();
    return 0;
}
