// Walks a table backwards down to its first entry.
// stdout: 6
// stdout: 2
// stdout: -4
#include <stdio.h>

static int weights[] = { 3, 1, 4, 1, 5 };
static int deltas[] = { 4, -2, 7, 1 };
static int bounds[] = { 3, 5, 9 };

static int last_positive(int limit)
{
    int i = 3;
    while (i >= 0 && deltas[i] <= limit)
        i--;
    return i;
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        printf("%d\n", last_positive(bounds[i]) * weights[i]);
    return 0;
}
