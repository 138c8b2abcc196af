// Each of two threads fills its half of a table.
// stdout: 16 9
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct part {
    int *first;
    int count;
};

static void *fill(void *argument)
{
    struct part *part = argument;
    for (int i = 0; i < part->count; i++)
        part->first[i] = i * i;
    return NULL;
}

int main(void)
{
    int *table = malloc(10 * sizeof *table);
    struct part parts[2] = { { table, 5 }, { table + 5, 5 } };
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, fill, &parts[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", table[4], table[8]);
    free(table);
    return 0;
}
