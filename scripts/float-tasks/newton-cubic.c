// Newton for a cubic jumps out of its range.
// answer: error
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x > -1 && x < 1);
    double f = x * x * x - 2 * x + 2, d = 3 * x * x - 2;
    double y = x - f / d;
    if (y > 1000) reach_error();
    return 0;
}
