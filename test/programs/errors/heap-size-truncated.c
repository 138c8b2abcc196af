// The number of entries is kept in a byte, so that 260 entries get room for 4.
#include <stdio.h>
#include <stdlib.h>

typedef unsigned char entry_count;

static int *load(entry_count count)
{
    return malloc(count * sizeof(int));
}

int main(void)
{
    int wanted = 260;
    int *table = load(wanted);
    for (int i = 0; i < wanted; i++)
        table[i] = i ^ 5; // expect: heap-buffer-overflow write
    int sum = 0;
    for (int i = 0; i < wanted; i++)
        sum += table[i];
    printf("%d\n", sum);
    free(table);
    return 0;
}
