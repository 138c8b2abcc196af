// Walks a table backwards with an unsigned test that never fails.
#include <stdio.h>

static int weights[] = { 3, 1, 4, 1, 5 };
static int deltas[] = { 4, -2, 7, 1 };
static int bounds[] = { 3, 5, 9 };

static int last_positive(int limit)
{
    int i = 3;
    while (deltas[i] <= limit) // expect: global-buffer-overflow read
        i--;
    return i;
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        printf("%d\n", last_positive(bounds[i]) * weights[i]);
    return 0;
}
