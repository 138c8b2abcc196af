// A union's bytes written through one member are read through the other.
// run: explore --sym-stdin 4
// twin: -DFIXED
// witness: stdin "\x01\x00\x80\x3f"
#include <assert.h>
#include <stdint.h>
#include <unistd.h>

union view {
    unsigned char bytes[4];
    uint16_t halves[2];
    uint32_t word;
};

int main(void)
{
    union view v;
    if (read(0, v.bytes, 4) != 4)
        return 1;
#ifdef FIXED
    assert(v.word >> 16 == v.halves[1] && (v.word & 0xffff) == v.halves[0]);
#else
    if (v.halves[1] == 0x3f80)
        assert(v.word != 0x3f800001); // expect: assertion-failure
#endif
    return 0;
}
