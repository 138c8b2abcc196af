// Two numbers become the same when a large one is added.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
    __VERIFIER_assume(a > 1 && a < 10 && b > 1 && b < a);
    if ((a + 4096) - (b + 4096) == 0 && a - b > 0.0002f) reach_error();
    return 0;
}
