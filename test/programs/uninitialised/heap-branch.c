// An element of a block from malloc was never set.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
int main(void) {
    int *p = malloc(4 * sizeof *p);
    p[0] = 1;
    p[1] = 2;
    SET(p[2] = 3;)
    if (p[2] == 5) puts("five"); // use
    free(p);
    return 0;
}
