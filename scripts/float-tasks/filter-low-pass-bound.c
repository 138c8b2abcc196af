// A filter stays in its bounds.
// answer: none
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float y = 0;
    for (int i = 0; i < 2; i++) {
        float x = __VERIFIER_nondet_float();
        __VERIFIER_assume(x >= -1 && x <= 1);
        y = 0.5f * y + 0.5f * x;
    }
    if (y > 1) reach_error();
    return 0;
}
