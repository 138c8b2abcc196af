// A bit of a word of flags that was never set.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
int main(void) {
    unsigned *flags = malloc(sizeof *flags);
    SET(*flags = 0;)
    *flags |= 4;
    *flags &= ~8u;
    if (*flags & 4) puts("four");
    if (*flags & 8) return 1;
    if (*flags & 2) puts("two"); // use
    free(flags);
    return 0;
}
