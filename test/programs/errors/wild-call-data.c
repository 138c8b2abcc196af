// Casts a table of descriptors to a table of functions.
#include <stdio.h>

struct descriptor {
    const char *name;
    int (*apply)(int);
};

static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }

static struct descriptor descriptors[] = { { "twice", twice }, { "square", square } };

static int apply(void *descriptor, int x)
{
    int (*function)(int) = (int (*)(int))descriptor;
    return function(x); // expect: wild-call
}

int main(void)
{
    for (int i = 0; i < 2; i++)
        printf("%s %d\n", descriptors[i].name, apply(&descriptors[i], 7));
    return 0;
}
