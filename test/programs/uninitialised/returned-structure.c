// A structure is returned with a field that was never set.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
struct point { int x, y; };
static struct point corner(int n) {
    struct point p;
    p.x = n;
    SET(p.y = n;)
    return p;
}
int main(int argc, char **argv) {
    (void)argv;
    struct point p = corner(argc);
    if (p.x != argc) return 1;
    if (p.y == 77) puts("77"); // use
    return 0;
}
