// A loop that counts in eighths is exact.
// answer: none
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    unsigned char n = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(n > 0 && n < 20);
    int turns = 0;
    for (float x = 0; x < n * 0.125f; x += 0.125f) turns++;
    if (turns != n) reach_error();
    return 0;
}
