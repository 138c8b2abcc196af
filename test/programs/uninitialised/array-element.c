// A loop stops one element early.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
int main(void) {
    int t[10], sum = 0;
    for (int i = 0; i < 9; i++) t[i] = i;
    SET(t[9] = 9;)
    for (int i = 0; i < 10; i++) sum += t[i];
    if (sum > 40) puts("large"); // use
    return 0;
}
