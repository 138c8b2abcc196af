// Two terms summed with compensation give back the sum.
// answer: none
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
    __VERIFIER_assume(a >= 1 && a <= 2 && b >= 0 && b <= 1);
    float s = a + b;
    float lost = b - (s - a);
    if (s + lost != s) reach_error();
    return 0;
}
