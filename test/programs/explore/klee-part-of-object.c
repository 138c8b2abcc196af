// Only a part of a structure is input; the rest stays what it was, and the user is told.
// run: explore
// twin: -DFIXED
// paths: 3
// says: a part of an object only
// witness: object middle "\x01\x02"
#include <klee/klee.h>

struct record {
    char tag;
    unsigned char middle[2];
    int total;
};

int main(void)
{
    struct record r = {'r', {0, 0}, 50};
    klee_make_symbolic(r.middle, sizeof r.middle, "middle");
#ifdef FIXED
    klee_assume(r.middle[0] < r.middle[1]);
#endif
    klee_assert(r.tag == 'r' && r.total == 50);
    if (r.middle[0] == 1) {
#ifdef FIXED
        klee_assert(r.middle[1] != 0);
#endif
        if (r.middle[1] == 2) {
#ifndef FIXED
            klee_assert(0); // expect: assertion-failure
#endif
            return 1;
        }
    }
    return 0;
}
