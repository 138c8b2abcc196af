// A sparse table is asked for a row that was never allocated, far behind its end.
#include <stdio.h>
#include <stdlib.h>

struct cell {
    short row, column;
    float value;
};

static float lookup(const struct cell *table, unsigned row, unsigned stride)
{
    return table[row * stride].value; // expect: heap-buffer-overflow|wild-access read
}

int main(void)
{
    unsigned stride = 10;
    struct cell *table = calloc(10 * stride, sizeof *table);
    for (unsigned i = 0; i < 10 * stride; i++)
        table[i].value = i / 4.0f;
    printf("%g\n", lookup(table, 92, stride));
    free(table);
    return 0;
}
