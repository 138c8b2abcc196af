// A store of a pointer at a place that the input decides, then a test of the very bits that decided it: on the paths where the
// place was another one the test is known, and must be so on every later run along them.
// run: explore
// run: explore --search dfs
// run: explore --mode eager
// paths: 8
// covers: all
#include <klee/klee.h>

static int one, *cells[4];

int main(void)
{
    unsigned char input[2];
    int result = 0;
    klee_make_symbolic(input, sizeof input, "input");
    cells[input[0] & 3] = &one;
    if ((input[0] & 3) != 0)
        result = 1;
    if (input[1] > 5)
        result += 2;
    return result;
}
