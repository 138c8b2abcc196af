// A number from standard input by scanf.
// run: explore --sym-stdin 4
// twin: -DFIXED
// witness: stdin "123\n"
#include <assert.h>
#include <stdio.h>

int main(void)
{
    unsigned number;
    if (scanf("%3u", &number) != 1)
        return 1;
#ifdef FIXED
    number |= 1024;
#endif
    assert(number != 123); // expect: assertion-failure
    return 0;
}
