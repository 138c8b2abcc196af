// strtod of what is read, and where it stopped.
// run: explore --sym-stdin 4 --stop-at-first
// witness: stdin "2.5x"
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char text[5] = "", *end;
    if (fread(text, 1, 4, stdin) != 4) return 1;
    double x = strtod(text, &end);
    if (x == 2.5 && *end == 'x')
        klee_assert(0); // expect: assertion-failure
    return 0;
}
