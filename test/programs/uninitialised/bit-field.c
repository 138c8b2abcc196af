// One of two bit-fields in a word was never set.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
struct flags { unsigned a : 3, b : 5, c : 9; };
int main(void) {
    struct flags *f = malloc(sizeof *f), copy;
    f->a = 5;
    f->c = 300;
    SET(f->b = 1;)
    copy = *f;
    if (copy.a == 5 && copy.c == 300) puts("set");
    if (copy.b == 1) puts("one"); // use
    free(f);
    return 0;
}
