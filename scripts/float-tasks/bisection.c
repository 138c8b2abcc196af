// Five halvings find the root of x^3 = 20 only to a thirtieth.
// answer: error
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double target = __VERIFIER_nondet_double();
    __VERIFIER_assume(target > 1 && target < 27);
    double low = 1, high = 3;
    for (int i = 0; i < 5; i++) {
        double middle = (low + high) / 2;
        if (middle * middle * middle < target) low = middle;
        else high = middle;
    }
    if (low == 2.6875 && high == 2.75) reach_error();
    return 0;
}
