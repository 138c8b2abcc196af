// Halving a number that is not the least gives a number.
// answer: none
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > 0x1p-149f);
    if (x / 2 == 0) reach_error();
    return 0;
}
