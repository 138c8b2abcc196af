// A number in the other byte order, by the compiler's builtin and by hand.
// run: explore --sym-stdin 4
// twin: -DFIXED
// witness: stdin "\x00\x00\x01\x02"
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    unsigned char in[4];
    uint32_t raw;
    if (read(0, in, 4) != 4)
        return 1;
    memcpy(&raw, in, 4);
    uint32_t length = __builtin_bswap32(raw);
#ifdef FIXED
    uint32_t byHand = (uint32_t)in[0] << 24 | (uint32_t)in[1] << 16 | (uint32_t)in[2] << 8 | in[3];
    assert(length == byHand);
#else
    assert(length != 258); // expect: assertion-failure
#endif
    return 0;
}
