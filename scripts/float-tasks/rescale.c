// A number scaled to bytes and back is off by more than a step.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 0 && x <= 1);
    unsigned char byte = (unsigned char)(x * 255);
    float back = byte / 255.0f;
    if (x - back > 0.0039f) reach_error();
    return 0;
}
