// A controller saturates although every input is small.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float integral = 0, last = 0, output = 0;
    for (int i = 0; i < 4; i++) {
        float e = __VERIFIER_nondet_float();
        __VERIFIER_assume(e >= -1 && e <= 1);
        integral += e;
        output = 2 * e + 0.5f * integral + (e - last);
        last = e;
    }
    if (output > 4.9f) reach_error();
    return 0;
}
