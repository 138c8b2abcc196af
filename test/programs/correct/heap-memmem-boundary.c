// Looks for a boundary in a message of known length.
// stdout: 1
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int has_boundary(const char *message, size_t size)
{
    return memmem(message, size, "--", 2) != NULL;
}

int main(void)
{
    char *message = malloc(12);
    memcpy(message, "a--b--c--end", 12);
    printf("%d\n", has_boundary(message, 12));
    free(message);
    return 0;
}
