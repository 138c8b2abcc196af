// A guard that traps.
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin "!!"
// native: none (a trap is a signal)
#include <unistd.h>

int main(void)
{
    char in[2];
    if (read(0, in, 2) != 2)
        return 1;
    if (in[0] == '!' && in[1] == in[0]) {
#ifndef FIXED
        __builtin_trap(); // expect: trap
#endif
        return 2;
    }
    return 0;
}
