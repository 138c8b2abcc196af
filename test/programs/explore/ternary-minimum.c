// The conditional operator: each of three values may be the least.
// run: explore
// twin: -DFIXED
// witness: object v "\x05\x09\x05"
#include <klee/klee.h>

int main(void)
{
    unsigned char v[3];
    klee_make_symbolic(v, sizeof v, "v");
    unsigned char least = v[0] < v[1] ? v[0] : v[1];
    least = least < v[2] ? least : v[2];
#ifdef FIXED
    klee_assert(least <= v[0] && least <= v[1] && least <= v[2]);
#else
    klee_assert(!(least == v[0] && least == v[2] && v[1] == 9 && least == 5)); // expect: assertion-failure
#endif
    return 0;
}
