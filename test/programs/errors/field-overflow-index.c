// A loop that fills the slots goes one too far: the count behind them is in the same block.
// options: --fields
// native: none (within one object)
#include <stdio.h>
#include <stdlib.h>

struct table {
    int slots[4];
    int count;
};

int main(void)
{
    struct table *table = malloc(sizeof *table);
    table->count = 5;
    for (int i = 0; i < table->count; i++)
        table->slots[i] = 7; // expect: field-overflow write
    printf("%d\n", table->count);
    free(table);
    return 0;
}
