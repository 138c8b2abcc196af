// A state machine's transition table is indexed by a character class.
// stdout: 2
#include <stdio.h>

static const unsigned char next_state[3][4] = { { 1, 0, 2, 0 }, { 1, 1, 0, 2 }, { 2, 2, 2, 2 } };

static unsigned step(unsigned state, int c)
{
    return next_state[state][c & 3];
}

int main(void)
{
    unsigned state = 0;
    for (const char *p = "automaton"; *p; p++)
        state = step(state, *p);
    printf("%u\n", state);
    return 0;
}
