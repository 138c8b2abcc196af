// memset fills half of it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
int main(void) {
    char buffer[12];
    memset(buffer, 0, 6);
    SET(memset(buffer, 0, 12);)
    if (buffer[5]) return 1;
    if (buffer[7]) puts("not zero"); // use
    return 0;
}
