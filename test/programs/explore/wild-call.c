// A handler is stored as a number and found by adding the input to it.
// run: explore --sym-stdin 1
// twin: -DFIXED
// witness: stdin "\x02"
// native: none (a jump to nowhere is a signal)
#include <stdio.h>

static int yes(void)
{
    return 1;
}

static int no(void)
{
    return 0;
}

static int (*handlers[4])(void) = {yes, no};

int main(void)
{
    unsigned which = (unsigned)getchar() & 3;
#ifdef FIXED
    if (!handlers[which])
        return 9;
#endif
    return handlers[which](); // expect: wild-call|null-dereference
}
