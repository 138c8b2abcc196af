// What is assumed cuts off paths without making tests of them.
// run: explore
// paths: 2
// covers: all
#include <klee/klee.h>

int main(void)
{
    unsigned char level;
    klee_make_symbolic(&level, sizeof level, "level");
    klee_assume(level > 100);
    klee_assume((level & 1) == 0);
    if (level < 100)
        return 1; // never
    if (level == 131)
        return 2; // never
    if (level == 254)
        return 3;
    return 0;
}
