// The famous trick is off by more than a thousandth.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static float inverse_root(float x)
{
    union { float f; unsigned u; } v = {x};
    v.u = 0x5f3759df - (v.u >> 1);
    return v.f * (1.5f - 0.5f * x * v.f * v.f);
}
int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 1 && x <= 4);
    float y = inverse_root(x);
    float one = y * y * x;
    if (one < 0.997f) reach_error();
    return 0;
}
