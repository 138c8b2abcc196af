// A product of normal numbers is denormal and no longer exact.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 0x1p-126f && x < 0x1p-120f);
    float y = x * 0x1p-20f;
    if (y * 0x1p20f != x && y != 0) reach_error();
    return 0;
}
