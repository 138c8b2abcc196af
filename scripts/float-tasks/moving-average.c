// The average of a window crosses its threshold exactly.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float window[4], sum = 0;
    for (int i = 0; i < 4; i++) {
        window[i] = __VERIFIER_nondet_float();
        __VERIFIER_assume(window[i] >= 0 && window[i] <= 100);
        sum += window[i];
    }
    if (sum / 4 == 62.5f && window[0] < window[1]) reach_error();
    return 0;
}
