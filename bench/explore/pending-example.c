// The shape of Figure 1 of "Pending Constraints in Symbolic Execution" (ASE 2020), in our own words: a symbolic flag, two loops
// of symbolic branches, a long computation without any, and an assertion on the flag. Reaching the assertion depends on
// the first branch alone; who checks every branch of the loops first pays for all of them. With DFS_FRIENDLY the sides of that
// branch are swapped.
#include <assert.h>
#include <klee/klee.h>
#include <stdbool.h>

static unsigned fib(unsigned n)
{
    if (n == 0)
        return 0;
    if (n == 1)
        return 1;
    return fib(n - 1) + fib(n - 2);
}

int main(void)
{
    unsigned char isSpace;
    char str[10];
    klee_make_symbolic(&isSpace, sizeof isSpace, "isSpace");
    klee_make_symbolic(str, sizeof str, "str");
#ifndef DFS_FRIENDLY
    if (isSpace)
        str[0] = ' ';
    else
        str[0] = 0;
#else
    if (!isSpace)
        str[0] = 0;
    else
        str[0] = ' ';
#endif
    for (int i = 1; i < 10; i++)
        for (char j = 0; j < str[i]; j++)
            str[i]--;
    fib(15);
    assert(!isSpace);
    return 0;
}
