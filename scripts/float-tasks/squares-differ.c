// Squares of different floats between 1 and 10 are different: they lie further apart than they are rounded.
// answer: none
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
    __VERIFIER_assume(a > 1 && a < 10 && b > 1 && b < a);
    if (a * a - b * b == 0) reach_error();
    return 0;
}
