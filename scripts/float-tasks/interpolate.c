// A linear interpolation misses its end.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
    __VERIFIER_assume(a > 1 && a < 1000 && b > 1 && b < 1000);
    float t = 1;
    if (a + t * (b - a) != b) reach_error();
    return 0;
}
