// An error that only a product of two numbers reaches.
// run: explore
// twin: -DFIXED
// witness: object nondet_ushort i16 251; object nondet_ushort i16 241
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void __VERIFIER_error(void);

int main(void)
{
    unsigned a = __VERIFIER_nondet_ushort(), b = __VERIFIER_nondet_ushort();
    if (a < 2 || b < 2 || a <= b)
        return 0;
#ifdef FIXED
    if (b > 200)
        return 0;
#endif
    if (a * b == 60491)
        __VERIFIER_error(); // expect: reported-error
    return 0;
}
