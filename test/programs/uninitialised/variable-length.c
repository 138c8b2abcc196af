// An array of variable length.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
int main(int argc, char **argv) {
    int n = argc + 7, t[n];
    (void)argv;
    for (int i = 0; i < n; i += 2) t[i] = i;
    SET(for (int i = 1; i < n; i += 2) t[i] = i;)
    if (t[4] != 4) return 1;
    if (t[3] == 3) puts("three"); // use
    return 0;
}
