// A growing array is reset by free, but its pointer is not, and it then grows again.
#include <stdio.h>
#include <stdlib.h>

static int *items;
static int count;

static void reset(void)
{
    free(items);
    count = 0;
}

static void add(int item)
{
    items = realloc(items, (count + 1) * sizeof(int)); // expect: double-free|heap-use-after-free|invalid-free
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
