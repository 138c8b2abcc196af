// A function ends without a value on one path.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
static int sign(int n) {
    if (n > 0) return 1;
    if (n < 0) return -1;
    SET(return 0;)
}
int main(int argc, char **argv) {
    (void)argv;
    if (sign(argc - 1) == 0) puts("zero"); // use
    return 0;
}
