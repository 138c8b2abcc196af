// A range across zero, and one of a single value, which is no input at all.
// run: explore
// twin: -DFIXED
// witness: object offset i32 -3
#include <klee/klee.h>

#ifdef FIXED
#define LOWEST -2
#else
#define LOWEST -3
#endif

int main(void)
{
    static const char names[] = "abcdef";
    int offset = klee_range(LOWEST, 3, "offset");
    int only = klee_range(8, 9, "only");
    klee_assert(only == 8);
    return names[2 + offset] == 'z'; // expect: global-buffer-overflow read
}
