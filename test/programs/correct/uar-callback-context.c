// Registers a callback with a context that is static.
// stdout: 5
#include <stdio.h>

struct context {
    int calls, limit;
};
typedef int callback(struct context *);

static callback *registered;
static struct context *registered_context;

static int count(struct context *c)
{
    return ++c->calls < c->limit;
}

static void install(int limit)
{
    static struct context context;
    context = (struct context){ 0, limit };
    registered = count;
    registered_context = &context;
}

int main(void)
{
    int turns = 1;
    install(5);
    while (registered(registered_context))
        turns++;
    printf("%d\n", turns);
    return 0;
}
