// A division by multiplication diverges for a bad start.
// answer: error
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double a = __VERIFIER_nondet_double();
    __VERIFIER_assume(a > 1 && a < 10);
    double x = 0.25;
    for (int i = 0; i < 3; i++) x = x * (2 - a * x);
    if (x < -2) reach_error();
    return 0;
}
