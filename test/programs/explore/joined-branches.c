// 128 small branches that only count: one path with one sum, and the question about it. Both sides of the branch are covered
// all the same.
// run: explore --sym-stdin 16
// run: explore --sym-stdin 16 --mode eager
// twin: -DFIXED
// paths: 2
// covers: all
// witness: stdin "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x1f\x00\x00\x00\x00\x00\x00"
#include <assert.h>
#include <unistd.h>

int main(void)
{
    unsigned char in[16];
    unsigned ones = 0;
    read(0, in, 16);
    for (int i = 0; i < 16; i++)
        for (int bit = 0; bit < 8; bit++)
            if (in[i] >> bit & 1)
                ones++;
#ifndef FIXED
    assert(ones != 77); // expect: assertion-failure
#else
    return ones == 77;
#endif
    return 0;
}
