// The famous trick gives positive numbers.
// answer: none
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static float inverse_root(float x)
{
    union { float f; unsigned u; } v = {x};
    v.u = 0x5f3759df - (v.u >> 1);
    return v.f;
}
int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 1 && x <= 4);
    if (!(inverse_root(x) > 0)) reach_error();
    return 0;
}
