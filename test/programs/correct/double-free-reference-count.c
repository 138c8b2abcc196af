// Every reference is dropped as often as it was taken.
// stdout: 0 alive
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
    free(o);
}

int main(void)
{
    struct object *o = new_object(9), *other = o;
    o->references++;
    if (--o->references == 0)
        destroy(o);
    destroy(other);
    printf("%d alive\n", alive);
    return 0;
}
