// Two vectors are orthogonal.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float a[3] = {1, -2, 0.5f}, b[3], dot = 0;
    for (int i = 0; i < 3; i++) {
        b[i] = __VERIFIER_nondet_float();
        __VERIFIER_assume(b[i] >= 1 && b[i] <= 8);
        dot += a[i] * b[i];
    }
    if (dot == 0) reach_error();
    return 0;
}
