// read gives fewer bytes than the buffer has.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
int main(void) {
    char buffer[64];
    SET(memset(buffer, 0, sizeof buffer);)
    long n = read(0, buffer, sizeof buffer);
    if (n > 0 && buffer[0] == 'x') puts("x");
    if (buffer[40] == 'y') puts("y"); // use
    return 0;
}
