// Removes an element from an array with memcpy where the ranges overlap.
#include <stdio.h>
#include <string.h>

static int remove_at(int *items, int count, int index)
{
    memcpy(items + index, items + index + 1, (count - index - 1) * sizeof *items); // expect: memcpy-overlap
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
