// Sixteenths are exact.
// answer: none
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > -100000 && n < 100000);
    if ((int)(n / 16.0 * 16) != n) reach_error();
    return 0;
}
