// Every short is a float.
// answer: none
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    short n = (short)__VERIFIER_nondet_int();
    if ((short)(float)n != n) reach_error();
    return 0;
}
