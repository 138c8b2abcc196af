// The error of a conversion is at most half a unit.
// answer: none
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x >= 1 && x <= 2);
    double y = (float)x;
    if (x - y > 0x1p-24) reach_error();
    return 0;
}
