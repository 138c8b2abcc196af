// A visitor callback collects as many leaves as the caller's array holds.
// stdout: 3 leaves, first 1
#include <stdio.h>

struct tree {
    int value;
    const struct tree *left, *right;
};
typedef void visitor(const struct tree *leaf, void *context);
struct collection {
    int *values, count, size;
};

static void walk(const struct tree *t, visitor *visit, void *context)
{
    if (!t)
        return;
    walk(t->left, visit, context);
    if (!t->left && !t->right)
        visit(t, context);
    walk(t->right, visit, context);
}

static void collect(const struct tree *leaf, void *context)
{
    struct collection *c = context;
    if (c->count == c->size)
        return;
    c->values[c->count++] = leaf->value;
}

int main(void)
{
    static const struct tree l1 = { 1 }, l2 = { 2 }, l3 = { 3 }, l4 = { 4 };
    static const struct tree a = { 0, &l1, &l2 }, b = { 0, &l3, &l4 }, root = { 0, &a, &b };
    int found[3];
    struct collection c = { found, 0, 3 };
    walk(&root, collect, &c);
    printf("%d leaves, first %d\n", c.count, found[0]);
    return 0;
}
