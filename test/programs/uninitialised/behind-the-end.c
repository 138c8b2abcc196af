// What lies behind a string's end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
int main(int argc, char **argv) {
    char buffer[32];
    (void)argv;
    int n = snprintf(buffer, sizeof buffer, "%d items", argc);
    SET(memset(buffer + n, 0, sizeof buffer - (size_t)n);)
    if (buffer[n] != 0) return 1;
    if (buffer[n + 2] == 'q') puts("q"); // use
    return 0;
}
