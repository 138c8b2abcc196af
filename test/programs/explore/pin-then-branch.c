// A store of a pointer at a symbolic address makes the index concrete; a branch on the same condition is then no decision of its own,
// on whichever run the side is entered (once a divergence).
// run: explore
// paths: 8
#include <klee/klee.h>
static int one, *cells[4];
int main(void)
{
    unsigned char x[2];
    int result = 0;
    klee_make_symbolic(x, sizeof x, "x");
    cells[x[0] & 3] = &one;
    if ((x[0] & 3) != 0)
        result = 1;
    if (x[1] > 5)
        result += 2;
    return result;
}
