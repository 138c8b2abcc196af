// An integer of 128 bits of which one half was never set.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
int main(void) {
    unsigned __int128 *w = malloc(sizeof *w);
    unsigned long *halves = (unsigned long *)w;
    halves[0] = 5;
    SET(halves[1] = 0;)
    if ((unsigned long)*w != 5) return 1;
    if (*w + 1 == 6) puts("six"); // use
    free(w);
    return 0;
}
