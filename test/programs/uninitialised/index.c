// An index was never set.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
static const int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
int main(void) {
    unsigned *p = malloc(sizeof *p);
    int value;
    SET(*p = 3;)
    value = table[*p & 7]; // use
    free(p);
    return value == 100;
}
