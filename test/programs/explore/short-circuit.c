// The operators && and || branch; four conditions, paths counted by hand.
// run: explore --join-branches no
// paths: 5
// covers: all
#include <klee/klee.h>

int main(void)
{
    unsigned char a, b;
    klee_make_symbolic(&a, 1, "a");
    klee_make_symbolic(&b, 1, "b");
    int both = a > 10 && b > 10;
    if (both)
        return 2;
    if (a == b || b == 11)
        return 1;
    return 0;
}
