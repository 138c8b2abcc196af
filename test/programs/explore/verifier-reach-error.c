// The function that must not be reached, when the program does not define it.
// run: explore
// twin: -DFIXED
// witness: object nondet_uint i32 10; object nondet_uint i32 11
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), guess = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n < 20);
#ifdef FIXED
    __VERIFIER_assume(guess < 10);
#endif
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += i;
    if (sum == 45 && guess == n + 1)
        reach_error(); // expect: reported-error
    return 0;
}
