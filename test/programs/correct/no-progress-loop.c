// A search for the next free slot ends when all were tried.
// options: --fuel 20000000
// stdout: 119
#include <stdio.h>

#define SLOTS 16

static unsigned char taken[SLOTS];

static int allocate(unsigned start)
{
    unsigned i = start % SLOTS;
    for (int tries = 0; taken[i]; tries++) {
        if (tries == SLOTS)
            return -1;
        i = (i + 5) % SLOTS;
    }
    taken[i] = 1;
    return i;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i <= SLOTS; i++)
        sum += allocate(i * 7);
    printf("%d\n", sum);
    return 0;
}
