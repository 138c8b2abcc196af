// A state machine that aborts in a state its author thought impossible.
// run: explore --sym-stdin 3
// twin: -DFIXED
// witness: stdin "(()"
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char text[3];
    int depth = 0;
    if (read(0, text, 3) != 3)
        return 1;
    for (int i = 0; i < 3; i++) {
        if (text[i] == '(')
            depth++;
        else if (text[i] == ')' && depth > 0)
            depth--;
        else
            return 2;
    }
#ifndef FIXED
    if (depth == 1)
        abort(); // expect: abort
#endif
    return depth;
}
