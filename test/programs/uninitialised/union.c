// One member of a union is set, a larger one is read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
union number { unsigned char byte; unsigned word; };
int main(void) {
    union number n;
    SET(n.word = 0;)
    n.byte = 7;
    if (n.byte == 7) puts("seven");
    if (n.word == 7) puts("only seven"); // use
    return 0;
}
