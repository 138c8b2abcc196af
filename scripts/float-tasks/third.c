// Three thirds of a float.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > 1 && x < 2);
    float third = x / 3;
    if (third + third + third != x) reach_error();
    return 0;
}
