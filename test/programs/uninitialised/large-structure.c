// The same with a structure that is too large for registers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
struct row { long cells[6]; char name[10]; };
static struct row make(int n) {
    struct row r;
    for (int i = 0; i < 6; i++)
        if (i != n) r.cells[i] = i;
    SET(r.cells[n] = 0;)
    strcpy(r.name, "row");
    return r;
}
static long third(struct row r) { return r.cells[3]; }
int main(void) {
    struct row r = make(3);
    if (r.cells[2] != 2 || strcmp(r.name, "row") != 0) return 1;
    if (third(r) == 8) puts("eight"); // use
    return 0;
}
