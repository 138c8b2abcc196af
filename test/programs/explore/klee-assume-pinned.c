// An assumption that only the place of a store contradicts, which was made concrete: other paths satisfy it, so it is no error.
// run: explore --max-paths 20
// limited: yes
// loses: store-address
#include <klee/klee.h>

static char marks[70000];

int main(void)
{
    unsigned short place;
    klee_make_symbolic(&place, sizeof place, "place");
    marks[place] = 1;
    klee_assume(place > 100);
    return marks[50];
}
