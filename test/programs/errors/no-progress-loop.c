// A search for the next free slot never ends when there is none.
// options: --fuel 20000000
#include <stdio.h>

#define SLOTS 16

static unsigned char taken[SLOTS];

static int allocate(unsigned start) // expect-function: no-progress
{
    unsigned i = start % SLOTS;
    while (taken[i])
        i = (i + 5) % SLOTS;
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
