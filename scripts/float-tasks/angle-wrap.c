// An angle that is wrapped by subtraction stays outside.
// answer: error
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double angle = __VERIFIER_nondet_double();
    __VERIFIER_assume(angle >= 0 && angle < 1100);
    if (angle >= 360) angle -= 360;
    if (angle >= 360) angle -= 360;
    if (angle >= 360) reach_error();
    return 0;
}
