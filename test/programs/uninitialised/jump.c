// A jump passes by where a variable is set.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
int main(int argc, char **argv) {
    int limit;
    (void)argv;
#ifndef FIXED
    if (argc == 1) goto start;
#endif
    limit = 10;
#ifndef FIXED
start:
#endif
    if (limit > 3) puts("more than three"); // use
    return 0;
}
