// A value is chosen by something that was never set.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
struct options { int verbose, width; };
int main(void) {
    struct options *o = malloc(sizeof *o);
    o->width = 3;
    SET(o->verbose = 0;)
    int level = o->verbose ? 2 : 1; // use
    int same = o->verbose ? 7 : 7; // use
    if (same != 7) return 1;
    if (level + o->width == 5) puts("five"); // use
    free(o);
    return 0;
}
