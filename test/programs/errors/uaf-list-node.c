// Frees a linked list and steps on from the node just freed.
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *cons(int value, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = next;
    return n;
}

static int free_all(struct node *list)
{
    int freed = 0;
    for (struct node *n = list; n; n = n->next) { // expect: heap-use-after-free read
        free(n);
        freed++;
    }
    return freed;
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 5; i++)
        list = cons(i, list);
    printf("%d\n", free_all(list));
    return 0;
}
