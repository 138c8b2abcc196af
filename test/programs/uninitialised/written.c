// A buffer goes to a file with bytes that were never set.
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
    char *buffer = malloc(32);
    strcpy(buffer, "hello\n");
    SET(memset(buffer + 7, 0, 25);)
    if (write(1, buffer, 7) != 7) return 1;
    if (write(1, buffer, 32) != 32) return 1; // use
    free(buffer);
    return 0;
}
