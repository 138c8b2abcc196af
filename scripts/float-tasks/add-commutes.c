// The sum of two numbers does not depend on their order.
// answer: none
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
    __VERIFIER_assume(a == a && b == b && a + b == a + b);
    if (a + b != b + a) reach_error();
    return 0;
}
