// __VERIFIER_assert and __VERIFIER_error when the program does not define them.
// run: explore
// twin: -DFIXED
// witness: object nondet_short i16 1000
extern short __VERIFIER_nondet_short(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);

int main(void)
{
    short x = __VERIFIER_nondet_short();
    __VERIFIER_assume(x > 0 && x <= 1000);
#ifdef FIXED
    __VERIFIER_assume(x != 1000);
#endif
    __VERIFIER_assert(x * 32 < 32000); // expect: reported-error
    return 0;
}
