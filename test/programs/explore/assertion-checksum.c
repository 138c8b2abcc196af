// A checksum over four bytes that is said never to be the forbidden value.
// run: explore --sym-stdin 4
// twin: -DFIXED
// witness: stdin "\x80\x4f\x0d\x1c"
#include <assert.h>
#include <unistd.h>

int main(void)
{
    unsigned char in[4];
    unsigned sum = 1;
    if (read(0, in, 4) != 4)
        return 1;
    for (int i = 0; i < 4; i++)
        sum = sum * 31 + in[i];
#ifdef FIXED
    sum |= 1u << 31;
#endif
    assert(sum != 4813119); // expect: assertion-failure
    return 0;
}
