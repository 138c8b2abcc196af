// A path table copies a name into a node sized for its parent's name.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *parent;
    char *name;
};

static struct node *add(struct node *parent, const char *name)
{
    struct node *n = malloc(sizeof *n);
    n->parent = parent;
    n->name = malloc(strlen(parent ? parent->name : name) + 1);
    strcpy(n->name, name); // expect: heap-buffer-overflow write
    return n;
}

static void print(const struct node *n)
{
    if (n->parent)
        print(n->parent);
    printf("/%s", n->name);
}

int main(void)
{
    struct node *usr = add(NULL, "usr");
    struct node *bin = add(usr, "bin");
    struct node *local = add(bin, "local-tools");
    print(local);
    putchar('\n');
    return 0;
}
