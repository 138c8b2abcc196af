// A discriminant cancels.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float b = __VERIFIER_nondet_float();
    __VERIFIER_assume(b > 1 && b < 100000);
    float d = b * b - 4;
    if (d == b * b) reach_error();
    return 0;
}
