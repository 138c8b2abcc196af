// Four terms of the exponential are below its true value.
// answer: error
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x >= 0 && x <= 4);
    double sum = 1, term = 1;
    for (int i = 1; i <= 4; i++) {
        term = term * x / i;
        sum += term;
    }
    if (sum > 34.33 && sum < 34.34) reach_error();
    return 0;
}
