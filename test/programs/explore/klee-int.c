// An equation over an int: both roots of a square are found or excluded.
// run: explore
// twin: -DFIXED
// witness: object root i32 37
#include <klee/klee.h>

int main(void)
{
    int root = klee_int("root");
    klee_assume(root > -1000 && root < 1000);
    if (root * root == 1369 && root > 0) {
#ifndef FIXED
        klee_assert(0 && "root found"); // expect: assertion-failure
#endif
        klee_assert(root == 37);
    }
    return 0;
}
