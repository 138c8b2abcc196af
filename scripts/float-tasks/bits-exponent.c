// The exponent, taken from the bits.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    union { float f; unsigned u; } v;
    v.f = __VERIFIER_nondet_float();
    __VERIFIER_assume(v.f > 0);
    int exponent = (int)(v.u >> 23) - 127;
    if (exponent == 20 && v.f * 0.5f == 786432.0f) reach_error();
    return 0;
}
