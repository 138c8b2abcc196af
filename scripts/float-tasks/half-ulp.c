// Adding half a unit changes odd numbers.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 8388608.0f && x < 16777216.0f);
    if (x + 0.5f != x) reach_error();
    return 0;
}
