// A level from outside is the index of a local table; what lies there is another variable.
// native: none (AddressSanitizer's redzones are jumped over as well)
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int counts[4] = {0}, names[400] = {0};
    volatile int level = 120;
    for (int i = 0; i < 400; i++)
        names[i] = i;
    counts[level] += 1; // expect: stack-buffer-overflow read
    printf("%d %d\n", counts[0], names[7]);
    return 0;
}
