// A controller with a threshold lets the tank run over.
// answer: error
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double level = 5;
    int open = 1;
    for (int i = 0; i < 8; i++) {
        double rain = __VERIFIER_nondet_double();
        __VERIFIER_assume(rain >= 0 && rain <= 0.5);
        level += rain + (open ? 0.75 : -0.25);
        if (level > 8) open = 0;
        if (level < 4) open = 1;
    }
    if (level > 10) reach_error();
    return 0;
}
