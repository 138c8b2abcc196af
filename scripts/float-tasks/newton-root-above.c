// A step of Newton from above stays above.
// answer: none
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 2 && x <= 4);
    x = (x + 2 / x) * 0.5f;
    if (x < 1.41f) reach_error();
    return 0;
}
