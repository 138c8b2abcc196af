// A filter of the second order overshoots.
// answer: error
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double y1 = 0, y2 = 0;
    for (int i = 0; i < 5; i++) {
        double x = __VERIFIER_nondet_double();
        __VERIFIER_assume(x >= 0 && x <= 1);
        double y = 1.5 * y1 - 0.7 * y2 + 0.2 * x;
        y2 = y1;
        y1 = y;
    }
    if (y1 > 1.05) reach_error();
    return 0;
}
