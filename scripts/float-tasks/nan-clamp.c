// A clamp lets a NaN pass.
// answer: error
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

static double clamp(double x, double low, double high)
{
    if (x < low) return low;
    if (x > high) return high;
    return x;
}
int main(void)
{
    double y = clamp(__VERIFIER_nondet_double(), -1, 1);
    if (!(y >= -1 && y <= 1)) reach_error();
    return 0;
}
