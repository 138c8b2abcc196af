// A call through a table at a symbolic index: each target is a path of its own.
// run: explore --sym-stdin 1
// twin: -DFIXED
// covers: all
// witness: stdin "\x02"
#include <stdio.h>
#include <stdlib.h>

static int zero(int x) { return x - x; }
static int same(int x) { return x; }
static int bad(int x)
{
#ifndef FIXED
    if (x == 2)
        abort(); // expect: abort
#endif
    return x + 1; // never
}

static int (*const table[4])(int) = {zero, same, bad, same};

int main(void)
{
    int which = getchar() & 3;
    return table[which](which);
}
