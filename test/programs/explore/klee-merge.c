// Merging is understood and has no effect: four paths.
// run: explore --join-branches no
// paths: 4
#include <klee/klee.h>

int main(void)
{
    unsigned char flags;
    int sum = 0;
    klee_make_symbolic(&flags, sizeof flags, "flags");
    klee_open_merge();
    if (flags & 1)
        sum += 1;
    else
        sum -= 1;
    klee_close_merge();
    klee_open_merge();
    if (flags & 2)
        sum += 10;
    else
        sum -= 10;
    klee_close_merge();
    klee_merge();
    return sum == 11;
}
