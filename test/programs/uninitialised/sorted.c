// An array with an unset element is sorted.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y; // use
}
int main(void) {
    int t[6];
    for (int i = 0; i < 6; i++)
        if (i != 4) t[i] = 10 - i;
    SET(t[4] = 6;)
    qsort(t, 6, sizeof *t, compare); // use
    return 0;
}
