// A pointer to a function was never set.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
static void hello(void) { puts("hello"); }
static void (*const table[4])(void) = {hello, hello, hello, hello};
struct handler { unsigned kind; };
int main(void) {
    struct handler *h = malloc(sizeof *h);
    SET(h->kind = 1;)
    table[h->kind & 3](); // use
    free(h);
    return 0;
}
