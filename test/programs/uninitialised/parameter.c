// What was never set is an argument; to pass it is no use.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
static int larger(int a, int b) {
    return a > b ? a : b; // use
}
static int first(int a, int b) {
    (void)b;
    return a;
}
int main(int argc, char **argv) {
    int x;
    (void)argv;
    if (argc > 3) x = 2;
    SET(else x = 1;)
    if (first(argc, x) == 0) return 1;
    return larger(x, 0) > 100; // use
}
