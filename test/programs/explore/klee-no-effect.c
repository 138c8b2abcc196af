// Calls that are understood and change nothing: two paths as without them.
// run: explore
// paths: 2
#include <klee/klee.h>

static int shared;

int main(void)
{
    char x;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_mark_global(&shared);
    klee_set_forking(0);
    klee_set_forking(1);
    klee_posix_prefer_cex(&x, x == 3);
    klee_stack_trace();
    if (x == 'k')
        return 1;
    return 0;
}
