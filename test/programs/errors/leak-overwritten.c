// A pointer to a buffer is overwritten by the next buffer.
// options: --leaks
#include <stdio.h>
#include <stdlib.h>

static char *current;

static void select_buffer(size_t size)
{
    current = calloc(size, 1); // expect: memory-leak
}

int main(void)
{
    select_buffer(10);
    select_buffer(20);
    current[19] = 'x';
    printf("%c\n", current[19]);
    free(current);
    current = NULL;
    return 0;
}
