// sscanf of a number with a fraction.
// run: explore --sym-stdin 3 --stop-at-first
// witness: stdin "1.5"
#include <klee/klee.h>
#include <stdio.h>

int main(void)
{
    char text[4] = "";
    double x;
    if (fread(text, 1, 3, stdin) != 3) return 1;
    if (sscanf(text, "%lf", &x) == 1 && x == 1.5)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
