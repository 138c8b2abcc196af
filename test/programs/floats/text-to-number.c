// atof of an argument.
// run: explore --sym-arg 3 --stop-at-first
// witness: arg "9.5"
#include <klee/klee.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 1;
    if (atof(argv[1]) == 9.5)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
