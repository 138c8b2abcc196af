// A list built from the input, reversed, and looked at.
// run: explore --sym-stdin 3
// twin: -DFIXED
// witness: stdin "cba"
#include <stdlib.h>
#include <unistd.h>

struct node {
    char value;
    struct node *next;
};

int main(void)
{
    char in[3];
    struct node *list = NULL, *reversed = NULL;
    if (read(0, in, 3) != 3)
        return 1;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = in[i];
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    int descending = 1, letters = 1;
    for (struct node *n = reversed; n; n = n->next) {
        if (n->next && n->value <= n->next->value)
            descending = 0;
        if (n->value < 'a' || n->value > 'c')
            letters = 0;
    }
#ifdef FIXED
    if (in[1] != 'b')
        letters = 0;
    if (descending && letters && in[2] != 'a')
        abort();
#else
    if (descending && letters)
        abort(); // expect: abort
#endif
    while (reversed) {
        struct node *next = reversed->next;
        free(reversed);
        reversed = next;
    }
    return 0;
}
