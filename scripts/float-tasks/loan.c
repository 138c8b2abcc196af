// A loan is paid back one month later than planned.
// answer: error
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double rate = __VERIFIER_nondet_double();
    __VERIFIER_assume(rate >= 0 && rate <= 0.1);
    double debt = 1000;
    int months = 0;
    while (debt > 0 && months < 8) {
        debt = debt * (1 + rate) - 200;
        months++;
    }
    if (months == 7) reach_error();
    return 0;
}
