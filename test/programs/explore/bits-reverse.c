// Reversing the bits of a byte by multiplication: right for all but the planted case.
// run: explore --sym-stdin 1
// twin: -DFIXED
// witness: stdin "\x64"
#include <assert.h>
#include <stdio.h>

int main(void)
{
    unsigned byte = (unsigned)getchar() & 255, slow = 0;
    for (int i = 0; i < 8; i++)
        slow = slow << 1 | (byte >> i & 1);
    unsigned fast = (unsigned)((byte * 0x0202020202ull & 0x010884422010ull) % 1023);
#ifdef FIXED
    assert(slow == fast);
#else
    assert(slow == fast && fast != 0x26); // expect: assertion-failure
#endif
    return 0;
}
