// The exit status was never set. Only its low eight bits count.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
int main(int argc, char **argv) {
    union { unsigned char low; int status; } u;
    (void)argv;
    if (argc > 7) u.status = 1;
    SET(u.low = 0;)
    exit(u.status); // use
}
