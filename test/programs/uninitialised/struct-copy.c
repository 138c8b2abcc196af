// What was never set is copied with its structure; padding is copied too, and is no error.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
struct item { char tag; long value; short count; };
int main(void) {
    struct item a, b, *c = malloc(sizeof *c);
    a.tag = 1;
    a.count = 2;
    SET(a.value = 3;)
    b = a;
    *c = b;
    if (c->tag == 1 && c->count == 2) puts("copied");
    if (c->value == 3) puts("three"); // use
    free(c);
    return 0;
}
