// What is written goes to an address that was never set.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
static int table[8];
struct cursor { int *base; unsigned at; };
int main(void) {
    struct cursor *c = malloc(sizeof *c);
    c->base = table;
    SET(c->at = 2;)
    c->base[c->at & 7] = 1; // use
    free(c);
    return 0;
}
