// Zero times infinity.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
    __VERIFIER_assume(x == x && y == y);
    float p = x * y;
    if (!(p == p)) reach_error();
    return 0;
}
