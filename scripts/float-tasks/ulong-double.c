// A long rounds up to a power of two.
// answer: error
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    unsigned long n = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(n < (1ul << 60));
    if ((double)n == 0x1p60) reach_error();
    return 0;
}
