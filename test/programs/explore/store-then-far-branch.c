// A store at one of many places, then a test for one of them. The place is made concrete, one value after the other; the
// test behind it is asked as if it were not.
// run: explore --sym-stdin 2 --max-paths 40
// run: explore --sym-stdin 2 --max-paths 40 --mode eager
// twin: -DFIXED
// limited: yes
// loses: store-address
// witness: stdin "\x92\x10"
#include <assert.h>
#include <unistd.h>

static char marks[70000];

int main(void)
{
    unsigned char in[2];
    if (read(0, in, 2) != 2)
        return 1;
    unsigned n = in[0] + 256u * in[1];
    marks[n] = 1;
#ifndef FIXED
    assert(n != 4242); // expect: assertion-failure
#endif
    return marks[0];
}
