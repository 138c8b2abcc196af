// A float never equals the double tenth it was made from.
// answer: error
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x > 0.05 && x < 0.15);
    float f = x;
    if (f != x && f == 0.1f) reach_error();
    return 0;
}
