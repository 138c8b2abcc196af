// Tagged pointers: the tag is not removed before the block is freed.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG = 1 };

static uintptr_t box(int value)
{
    int *cell = malloc(sizeof *cell);
    *cell = value;
    return (uintptr_t)cell | TAG;
}

static int unbox(uintptr_t boxed)
{
    return *(int *)(boxed & ~(uintptr_t)TAG);
}

static void release(uintptr_t boxed)
{
    free((void *)boxed); // expect: invalid-free
}

int main(void)
{
    uintptr_t b = box(12);
    printf("%d\n", unbox(b));
    release(b);
    return 0;
}
