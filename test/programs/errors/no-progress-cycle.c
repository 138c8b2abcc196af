// A linked list is spliced into itself, and counting it never ends.
// options: --fuel 20000000
#include <stdio.h>

struct node {
    struct node *next;
    int value;
};

static void splice(struct node *list, struct node *tail)
{
    while (list->next)
        list = list->next;
    list->next = tail;
}

static int length(const struct node *list) // expect-function: no-progress
{
    int n = 0;
    for (; list; list = list->next)
        n++;
    return n;
}

int main(void)
{
    struct node a[3] = { { &a[1], 1 }, { &a[2], 2 }, { NULL, 3 } };
    struct node b[2] = { { &b[1], 4 }, { NULL, 5 } };
    splice(a, &a[1]);
    splice(b, NULL);
    printf("%d\n", length(a));
    return 0;
}
