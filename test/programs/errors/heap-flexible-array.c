// A vector with a flexible array member is allocated without its header.
#include <stdio.h>
#include <stdlib.h>

struct vector {
    size_t length;
    double items[];
};

static struct vector *vector_new(size_t length)
{
    struct vector *v = malloc(length * sizeof(double));
    v->length = length;
    for (size_t i = 0; i < length; i++)
        v->items[i] = 0.5 * i; // expect: heap-buffer-overflow write
    return v;
}

int main(void)
{
    struct vector *v = vector_new(9);
    double sum = 0;
    for (size_t i = 0; i < v->length; i++)
        sum += v->items[i];
    printf("%.1f\n", sum);
    free(v);
    return 0;
}
