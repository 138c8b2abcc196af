// A product is not distributed over a sum.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
    __VERIFIER_assume(a > 1 && a < 2 && b > 1 && b < 2);
    if (3 * (a + b) != 3 * a + 3 * b) reach_error();
    return 0;
}
