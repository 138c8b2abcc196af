// A buffer is released before the next one takes its place.
// options: --leaks
// stdout: x
#include <stdio.h>
#include <stdlib.h>

static char *current;

static void select_buffer(size_t size)
{
    free(current);
    current = calloc(size, 1);
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
