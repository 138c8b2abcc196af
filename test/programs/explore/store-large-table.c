// A store into a table of more cells than are followed unless that is asked for: one path, not one for each place.
// run: explore --store-cells 4100
// paths: 2
#include <klee/klee.h>

static char table[4100] = {1, 2};

int main(void)
{
    unsigned place, looked;
    klee_make_symbolic(&place, sizeof place, "place");
    klee_assume(place < sizeof table);
    table[place] = 3;
    klee_make_symbolic(&looked, sizeof looked, "looked");
    klee_assume(looked < sizeof table);
    if (table[looked] == 2)
        klee_assert(looked == 1);
    return 0;
}
