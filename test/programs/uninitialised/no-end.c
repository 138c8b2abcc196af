// A string without its zero.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
int main(void) {
    char *name = malloc(24);
    memcpy(name, "abcdefgh", 8);
    SET(name[8] = 0;)
    name[23] = 0;
    if (strlen(name) > 10) puts("long"); // use
    free(name);
    return 0;
}
