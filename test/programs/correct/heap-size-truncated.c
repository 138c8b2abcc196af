// The number of entries is kept in an int.
// stdout: 33686
#include <stdio.h>
#include <stdlib.h>

typedef unsigned entry_count;

static int *load(entry_count count)
{
    return malloc(count * sizeof(int));
}

int main(void)
{
    int wanted = 260;
    int *table = load(wanted);
    for (int i = 0; i < wanted; i++)
        table[i] = i ^ 5;
    int sum = 0;
    for (int i = 0; i < wanted; i++)
        sum += table[i];
    printf("%d\n", sum);
    free(table);
    return 0;
}
