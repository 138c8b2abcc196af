// Cases that fall through add up.
// run: explore --sym-stdin 1
// twin: -DFIXED
// witness: stdin "b"
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int sum = 0;
    switch (getchar()) {
    case 'a':
        sum += 1;
        /* fall through */
    case 'b':
        sum += 10;
#ifdef FIXED
        break;
#endif
        /* fall through */
    case 'c':
        sum += 100;
    }
    assert(sum != 110); // expect: assertion-failure
    return 0;
}
