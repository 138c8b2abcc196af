// A comparison of floating-point numbers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
int main(void) {
    double *d = malloc(2 * sizeof *d);
    d[0] = 1.5;
    SET(d[1] = 2.5;)
    double sum = d[0] * 2 + d[1];
    if (sum < 3) puts("small"); // use
    free(d);
    return 0;
}
