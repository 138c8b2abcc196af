// The variance by the short formula is negative.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
    __VERIFIER_assume(a > 100 && a < 200 && b > 100 && b < 200);
    float mean = (a + b) / 2;
    if ((a * a + b * b) / 2 - mean * mean < 0) reach_error();
    return 0;
}
