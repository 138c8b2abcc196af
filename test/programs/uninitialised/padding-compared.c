// Structures are compared with their padding.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
struct pair { char a; int b; };
int main(void) {
    struct pair *x = malloc(sizeof *x), *y = malloc(sizeof *y);
    SET(memset(x, 0, sizeof *x);)
    SET(memset(y, 0, sizeof *y);)
    x->a = y->a = 1;
    x->b = y->b = 2;
    if (x->a != y->a || x->b != y->b) return 1;
    if (memcmp(x, y, sizeof *x) == 0) puts("equal"); // use
    free(x);
    free(y);
    return 0;
}
