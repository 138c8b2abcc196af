// Removes an element from an array with memmove.
// stdout: 10
// stdout: 11
// stdout: 13
// stdout: 14
// stdout: 15
// stdout: 16
// stdout: 17
// stdout: 18
#include <stdio.h>
#include <string.h>

static int remove_at(int *items, int count, int index)
{
    memmove(items + index, items + index + 1, (count - index - 1) * sizeof *items);
    return count - 1;
}

int main(void)
{
    int items[9] = { 10, 11, 12, 13, 14, 15, 16, 17, 18 };
    int count = remove_at(items, 9, 2);
    for (int i = 0; i < count; i++)
        printf("%d\n", items[i]);
    return 0;
}
