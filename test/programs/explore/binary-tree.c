// A search tree of symbolic keys: the shapes of a tree of three nodes.
// run: explore --sym-stdin 3
// covers: all
// output: 1\n
// output: 2\n
// output: 3\n
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct tree {
    unsigned char key;
    struct tree *left, *right;
};

static struct tree *insert(struct tree *tree, unsigned char key)
{
    if (!tree) {
        tree = calloc(1, sizeof *tree);
        tree->key = key;
    } else if (key < tree->key)
        tree->left = insert(tree->left, key);
    else if (key > tree->key)
        tree->right = insert(tree->right, key);
    return tree;
}

static int depth(const struct tree *tree)
{
    if (!tree)
        return 0;
    int left = depth(tree->left), right = depth(tree->right);
    return 1 + (left > right ? left : right);
}

static void destroy(struct tree *tree)
{
    if (!tree)
        return;
    destroy(tree->left);
    destroy(tree->right);
    free(tree);
}

int main(void)
{
    unsigned char keys[3];
    struct tree *tree = NULL;
    if (read(0, keys, 3) != 3)
        return 1; // never
    for (int i = 0; i < 3; i++)
        tree = insert(tree, keys[i]);
    switch (depth(tree)) {
    case 1: puts("1"); break;
    case 2: puts("2"); break;
    case 3: puts("3"); break;
    }
    destroy(tree);
    return 0;
}
