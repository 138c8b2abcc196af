// Conversions keep the order.
// answer: none
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > -1000 && x < y && y < 1000);
    if ((int)x > (int)y) reach_error();
    return 0;
}
