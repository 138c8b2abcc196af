// A determinant is zero.
// answer: error
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double();
    __VERIFIER_assume(a > 1 && a < 8 && b > 1 && b < 8);
    double determinant = a * 3 - b * 2;
    if (determinant == 0) reach_error();
    return 0;
}
