// Appends to a list whose tail was never set.
#include <stdio.h>
#include <stdlib.h>

struct item {
    char label[32];
    struct item *next;
};
struct list {
    struct item *head, *tail;
};

static void append(struct list *l, const char *label)
{
    struct item *i = calloc(1, sizeof *i);
    snprintf(i->label, sizeof i->label, "%s", label);
    if (!l->head)
        l->head = i;
    else
        l->tail->next = i; // expect: null-dereference write
}

int main(void)
{
    struct list l = { 0 };
    append(&l, "one");
    append(&l, "two");
    for (struct item *i = l.head, *next; i; i = next) {
        next = i->next;
        puts(i->label);
        free(i);
    }
    return 0;
}
