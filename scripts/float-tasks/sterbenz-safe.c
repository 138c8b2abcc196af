// A difference of numbers within a factor of two is exact.
// answer: none
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
    __VERIFIER_assume(b >= 1 && b <= 16 && a >= b && a <= b * 2);
    float d = a - b;
    if (d + b != a) reach_error();
    return 0;
}
