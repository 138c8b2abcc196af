// A reference is dropped once more than it was taken.
#include <stdio.h>
#include <stdlib.h>

struct object {
    int references;
    int payload;
};

static int alive;

static struct object *new_object(int payload)
{
    struct object *o = malloc(sizeof *o);
    o->references = 1;
    o->payload = payload;
    alive++;
    return o;
}

static void destroy(struct object *o)
{
    alive--;
    free(o); // expect: double-free
}

int main(void)
{
    struct object *o = new_object(9), *other = o;
    destroy(o);
    destroy(other);
    printf("%d alive\n", alive);
    return 0;
}
