// A state machine ignores an event it does not know.
// stdout: 2
#include <stdio.h>
#include <stdlib.h>

enum state { IDLE, BUSY, DONE };

static enum state next(enum state s, char event)
{
    switch (event) {
    case 's': return s == IDLE ? BUSY : s;
    case 'f': return s == BUSY ? DONE : s;
    default:
        return s;
    }
}

int main(void)
{
    enum state s = IDLE;
    for (const char *e = "ssxf"; *e; e++)
        s = next(s, *e);
    printf("%d\n", s);
    return 0;
}
