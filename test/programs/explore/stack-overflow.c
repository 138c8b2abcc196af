// Recursion without end for one of the commands.
// run: explore --sym-stdin 1
// twin: -DFIXED
// witness: stdin "r"
#include <stdio.h>

static int descend(int c, int depth) // expect-function: stack-overflow
{
    volatile char frame[200];
    frame[0] = (char)c;
#ifdef FIXED
    if (depth > 10)
        return 0;
#endif
    if (frame[0] != 'r')
        return depth;
    return descend(c, depth + 1) + frame[0];
}

int main(void)
{
    return descend(getchar(), 0) == 5;
}
