// A number that was never set is printed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
int main(void) {
    int counts[3];
    counts[0] = 1;
    counts[2] = 3;
    SET(counts[1] = 2;)
    printf("%d %d\n", counts[0], counts[2]);
    printf("%d\n", counts[1]); // use
    return 0;
}
