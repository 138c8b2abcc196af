// A table-driven automaton for the words of (ab)*c of four letters.
// run: explore --sym-stdin 5
// twin: -DFIXED
// witness: stdin "ababc"
#include <stdlib.h>
#include <unistd.h>

enum { START, AFTER_A, DONE, DEAD };

static const unsigned char next[4][3] = {
    [START] = {AFTER_A, DEAD, DONE}, [AFTER_A] = {DEAD, START, DEAD}, [DONE] = {DEAD, DEAD, DEAD}, [DEAD] = {DEAD, DEAD, DEAD}};

int main(void)
{
    unsigned char in[5];
    unsigned state = START;
    if (read(0, in, 5) != 5)
        return 1;
    for (int i = 0; i < 5; i++) {
        unsigned letter = in[i] - 'a';
        if (letter > 2)
            return 2;
        state = next[state][letter];
    }
#ifdef FIXED
    if (in[4] == 'c')
        return 3;
#endif
    if (state == DONE)
        abort(); // expect: abort
    return 0;
}
