// Eight numbers sum to a given total.
// answer: error
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        double x = __VERIFIER_nondet_double();
        __VERIFIER_assume(x >= 0 && x <= 10);
        sum += x;
    }
    if (sum == 12.75) reach_error();
    return 0;
}
