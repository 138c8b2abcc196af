// Rounding to double and then to float is not rounding once.
// answer: error
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x > 1 && x < 1.5);
    float once = (float)(x + 0x1p-60);
    float twice = (float)x;
    if (once == twice && x != (double)twice && (double)twice - x == 0x1p-24) reach_error();
    return 0;
}
