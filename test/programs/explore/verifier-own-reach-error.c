// Programs of the competitions bring their own reach_error; it is theirs that is called.
// run: explore
// twin: -DFIXED
// witness: object nondet_int i32 51
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

void reach_error(void)
{
    assert(0 && "reached"); // expect: assertion-failure
}

void __VERIFIER_assert(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = 50;
#ifdef FIXED
    if (x >= 50)
        return 0;
#endif
    if (x > 0 && x < 100)
        while (y < x)
            y++;
    __VERIFIER_assert(y == 50);
    return 0;
}
