// Binary trees: many small allocations, walks and frees.
#include <stdio.h>
#include <stdlib.h>

struct tree {
    struct tree *left, *right;
    int value;
};

static struct tree *build(int depth, int value)
{
    struct tree *t = malloc(sizeof *t);
    t->value = value;
    t->left = depth ? build(depth - 1, 2 * value) : NULL;
    t->right = depth ? build(depth - 1, 2 * value + 1) : NULL;
    return t;
}

static unsigned check(const struct tree *t) { return t ? t->value + 3 * check(t->left) + 7 * check(t->right) : 1; }

static void release(struct tree *t)
{
    if (!t)
        return;
    release(t->left);
    release(t->right);
    free(t);
}

int main(void)
{
    enum { DEEPEST = 16 };
    unsigned sum = 0;
    struct tree *lasting = build(DEEPEST, 1);
    for (int depth = 4; depth <= DEEPEST; depth += 4)
        for (int i = 0; i < 1 << (DEEPEST - depth + 3); i++) {
            struct tree *t = build(depth, i);
            sum = sum * 31 + check(t);
            release(t);
        }
    printf("%08x\n", sum + check(lasting));
    release(lasting);
    return 0;
}
