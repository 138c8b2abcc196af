// A local variable is set on one path only.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
int main(int argc, char **argv) {
    int x;
    (void)argv;
    if (argc > 5) x = 1;
    SET(else x = 0;)
    if (x) puts("set"); // use
    return 0;
}
