// A sum that no order of doubles computes rightly.
// answer: error
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x > 0 && x < 1e10);
    double y = (x + 1e16) - 1e16;
    if (y - x == 1 && x < 100) reach_error();
    return 0;
}
