// A difference of numbers that are far apart is rounded.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
    __VERIFIER_assume(a > 1 && a < 100 && b > 1 && b < a);
    float d = a - b;
    if (d + b != a) reach_error();
    return 0;
}
