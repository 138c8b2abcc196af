// A hash table of at least one bucket.
// stdout: 2
#include <stdio.h>
#include <stdlib.h>

struct table {
    unsigned long size;
    int *buckets;
};

static int *bucket(struct table *t, unsigned long key)
{
    return &t->buckets[key * 2654435761u % t->size];
}

int main(void)
{
    unsigned long wanted = 4;
    struct table t = { wanted / 4 * 16, NULL };
    t.buckets = calloc(t.size + 1, sizeof(int));
    for (unsigned long k = 0; k < 20; k++)
        ++*bucket(&t, k);
    printf("%d\n", t.buckets[0]);
    free(t.buckets);
    return 0;
}
