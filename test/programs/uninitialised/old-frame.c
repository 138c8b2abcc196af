// Another function's values lie where a variable is.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
static int fill(void) {
    volatile int t[16];
    for (int i = 0; i < 16; i++) t[i] = i;
    return t[3];
}
static int look(int n) {
    int t[16];
    t[0] = n;
    SET(t[5] = 1;)
    return t[n % 16] + t[5] == 10; // use
}
int main(void) {
    if (fill() != 3) return 1;
    if (look(0)) puts("ten"); // use
    return 0;
}
