// A constructor forgets a field.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
struct shape { char kind; int width, height; double scale; };
static void make(struct shape *s, int width) {
    s->kind = 'r';
    s->width = width;
    s->scale = 1;
    SET(s->height = width;)
}
int main(void) {
    struct shape s;
    make(&s, 4);
    if (s.kind == 'r' && s.width == 4 && s.scale > 0.5) puts("rectangle");
    if (s.height > 100) puts("high"); // use
    return 0;
}
