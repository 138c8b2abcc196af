// Adding a half and cutting rounds wrongly just below a half.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > 0 && x < 1);
    if ((int)(x + 0.5f) == 1 && x < 0.5f) reach_error();
    return 0;
}
