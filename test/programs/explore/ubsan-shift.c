// The amount of a shift comes from the input.
// run: explore --sym-stdin 1 --ubsan shift
// twin: -DFIXED
// witness: stdin "\x28"
// native: undefined
#include <stdio.h>

int main(void)
{
    int amount = getchar();
    if (amount == EOF)
        return 1;
#ifdef FIXED
    amount &= 31;
#endif
    unsigned mask = 1u << amount; // expect: undefined-behaviour
    return mask == 64;
}
