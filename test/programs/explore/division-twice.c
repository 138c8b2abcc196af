// Two divisions in one function, on one line even: each is a finding of its own.
// run: explore --sym-stdin 2
// twin: -DFIXED
// findings: 2
// witness: stdin "\x00\x01"
#include <stdio.h>

static int both(int a, int b)
{
#ifdef FIXED
    a |= 1;
    b |= 1;
#endif
    return 100 / a + 200 / b; // expect: division-by-zero
}

int main(void)
{
    int a = getchar();
    int b = getchar();
    if (a < 0 || b < 0)
        return 2;
    return both(a, b) > 20;
}
