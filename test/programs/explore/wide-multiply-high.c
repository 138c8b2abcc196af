// The upper half of a 64-bit product, as random number generators use it to choose from a range.
// run: explore
// twin: -DFIXED
// witness: object random i64 -1
#include <klee/klee.h>
#include <stdint.h>

static const char faces[6] = {1, 2, 3, 4, 5, 6};

int main(void)
{
    uint64_t random;
    klee_make_symbolic(&random, sizeof random, "random");
#ifdef FIXED
    uint64_t index = (uint64_t)((unsigned __int128)random * 6 >> 64);
#else
    uint64_t index = (uint64_t)((unsigned __int128)random * 7 >> 64);
#endif
    return faces[index] == 0; // expect: global-buffer-overflow read
}
