// The part that realloc has added was never set.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
int main(void) {
    char *p = calloc(10, 1);
    p = realloc(p, 5000);
    SET(memset(p + 10, 0, 4990);)
    if (p[9]) return 1;
    if (p[4000]) puts("not zero"); // use
    free(p);
    return 0;
}
