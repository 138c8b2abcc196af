// The next number after a sum.
// answer: error
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    union { double d; unsigned long u; } v;
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x >= 1 && x < 2);
    v.d = x;
    v.u++;
    if (v.d - x == 0x1p-52 && v.d == 2) reach_error();
    return 0;
}
