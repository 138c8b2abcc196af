// A mode is chosen by three thresholds in a row.
// answer: error
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    int mode = 0;
    for (int i = 0; i < 3; i++) {
        double t = __VERIFIER_nondet_double();
        __VERIFIER_assume(t > -50 && t < 150);
        double f = t * 1.8 + 32;
        if (mode == 0 && f > 212) mode = 1;
        else if (mode == 1 && f < 32.5 && f > 32) mode = 2;
        else if (mode == 2 && f == 98.6) mode = 3;
    }
    if (mode == 3) reach_error();
    return 0;
}
