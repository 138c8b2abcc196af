// A loop that counts in tenths turns once more.
// answer: error
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    unsigned char n = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(n > 0 && n < 40);
    int turns = 0;
    for (float x = 0; x < n * 0.1f; x += 0.1f) turns++;
    if (turns != n) reach_error();
    return 0;
}
