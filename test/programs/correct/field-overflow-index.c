// A loop that fills the slots up to the last.
// options: --fields
// stdout: 4
#include <stdio.h>
#include <stdlib.h>

struct table {
    int slots[4];
    int count;
};

int main(void)
{
    struct table *table = malloc(sizeof *table);
    table->count = 4;
    for (int i = 0; i < table->count; i++)
        table->slots[i] = 7;
    printf("%d\n", table->count);
    free(table);
    return 0;
}
