// A ring of events with an index that wraps.
// stdout: 1067
#include <stdio.h>
#include <stdlib.h>

#define SLOTS 6

struct event {
    int id;
    unsigned short weight;
};
struct ring {
    unsigned head;
    struct event slots[SLOTS];
};

static void push(struct ring *r, int id)
{
    r->slots[r->head].id = id;
    r->slots[r->head].weight = id % 7;
    if (++r->head == SLOTS)
        r->head = 0;
}

int main(void)
{
    struct ring *r = calloc(1, sizeof *r);
    for (int i = 0; i < 10; i++)
        push(r, i * 11);
    int sum = 0;
    for (int i = 0; i < SLOTS; i++)
        sum += r->slots[i].id * r->slots[i].weight;
    printf("%d\n", sum);
    free(r);
    return 0;
}
