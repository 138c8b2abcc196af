// A growing array is reset together with its pointer.
// stdout: 2
// stdout: 3
#include <stdio.h>
#include <stdlib.h>

static int *items;
static int count;

static void reset(void)
{
    free(items);
    items = NULL;
    count = 0;
}

static void add(int item)
{
    items = realloc(items, (count + 1) * sizeof(int));
    items[count++] = item;
}

int main(void)
{
    add(1);
    add(2);
    printf("%d\n", items[1]);
    reset();
    add(3);
    printf("%d\n", items[0]);
    reset();
    return 0;
}
