// An integrator winds up.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float sum = 0;
    for (int i = 0; i < 8; i++) {
        float e = __VERIFIER_nondet_float();
        __VERIFIER_assume(e >= -1 && e <= 1);
        sum += e * 0.1f;
    }
    if (sum > 0.79f) reach_error();
    return 0;
}
