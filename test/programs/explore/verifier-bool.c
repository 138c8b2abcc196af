// A truth is 0 or 1, nothing else.
// run: explore
// paths: 2
// output: 0\n
// output: 1\n
#include <assert.h>
#include <stdio.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int flag = __VERIFIER_nondet_bool();
    if (flag == 0)
        puts("0");
    else if (flag == 1)
        puts("1");
    else
        assert(!"a truth of another value"); // never
    return 0;
}
