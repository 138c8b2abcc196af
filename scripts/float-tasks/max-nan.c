// A maximum by comparison depends on the order if one is a NaN.
// answer: error
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

static double max(double a, double b) { return a > b ? a : b; }
int main(void)
{
    double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double();
    double p = max(a, b), q = max(b, a);
    if (p != q && p == p) reach_error();
    return 0;
}
