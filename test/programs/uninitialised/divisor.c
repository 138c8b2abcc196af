// A divisor was never set.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
int main(void) {
    int *n = malloc(2 * sizeof *n);
    n[0] = 100;
    SET(n[1] = 7;)
    int quotient = n[0] / (n[1] | 1); // use
    if (quotient > 50) puts("large"); // use
    free(n);
    return 0;
}
