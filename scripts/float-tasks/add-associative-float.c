// Sums of three floats depend on the order.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float(), c = __VERIFIER_nondet_float();
    __VERIFIER_assume(a > 0 && a < 100 && b > 0 && b < 100 && c > 0 && c < 100);
    if ((a + b) + c != a + (b + c)) reach_error();
    return 0;
}
