// A default that was declared unreachable, and is not.
// run: explore --sym-stdin 1
// twin: -DFIXED
// witness: stdin "\x03"
// native: undefined
#include <stdio.h>

int main(void)
{
    int c = getchar();
#ifdef FIXED
    c = c & 3 ? c & 3 : 1;
#endif
    switch (c & 3) {
    case 0: return 10;
    case 1: return 11;
    case 2: return 12;
#ifdef FIXED
    case 3: return 13;
#endif
    default: __builtin_unreachable(); // expect: unreachable-reached|undefined-behaviour
    }
}
