// A symbolic object of no bytes is no input; the user is told, and the program goes on.
// run: explore
// paths: 2
// says: size of 0
#include <klee/klee.h>

int main(void)
{
    char nothing[4] = "abc", x;
    klee_make_symbolic(nothing, 0, "nothing");
    klee_make_symbolic(&x, 1, "x");
    klee_assert(nothing[0] == 'a');
    if (x > 5)
        return 1;
    return 0;
}
