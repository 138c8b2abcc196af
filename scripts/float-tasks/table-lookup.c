// An index computed with floats leaves the table.
// answer: error
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static const int table[8] = {1, 2, 3, 5, 8, 13, 21, 34};
int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 0 && x <= 1);
    int index = (int)(x * 8);
    if (index > 7) reach_error();
    return table[index];
}
