// The same name given twice stands for two inputs.
// run: explore
// twin: -DFIXED
// witness: object x "\x07"; object x "\x09"
#include <klee/klee.h>

static unsigned char input(void)
{
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    return x;
}

int main(void)
{
    unsigned char first = input(), second = input();
#ifdef FIXED
    klee_assume(first != 7);
#endif
    klee_assert(first != 7 || second != 9); // expect: assertion-failure
    return 0;
}
