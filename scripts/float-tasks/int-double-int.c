// Every int is a double.
// answer: none
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if ((int)(double)n != n) reach_error();
    return 0;
}
