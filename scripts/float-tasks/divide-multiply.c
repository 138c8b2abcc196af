// A quotient times the divisor is not the dividend.
// answer: error
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 1 && n <= 200);
    float x = 1.0f / n;
    if (x * n != 1) reach_error();
    return 0;
}
