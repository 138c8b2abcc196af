// The size of a block was never set.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
int main(void) {
    size_t *n = malloc(sizeof *n);
    SET(*n = 5;)
    char *p = malloc((*n & 63) + 1); // use
    p[0] = 0;
    free(p); // use
    free(n);
    return 0;
}
