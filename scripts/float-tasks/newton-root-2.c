// Two steps of Newton are not enough far from the root.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > 0.5f && x < 8);
    for (int i = 0; i < 2; i++) x = (x + 2 / x) * 0.5f;
    if (x > 1.8f) reach_error();
    return 0;
}
