// A percentage of money, in cents, is one off.
// answer: error
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    unsigned cents = __VERIFIER_nondet_uint();
    __VERIFIER_assume(cents < 100000);
    double money = cents / 100.0;
    if ((unsigned)(money * 100) != cents) reach_error();
    return 0;
}
