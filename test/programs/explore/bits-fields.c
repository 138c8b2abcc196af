// Bit-fields share bytes; writing one leaves its neighbours alone.
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin "\x07\x0b"
#include <assert.h>
#include <unistd.h>

struct header {
    unsigned version : 3;
    unsigned kind : 5;
    unsigned length : 10;
    signed offset : 6;
};

int main(void)
{
    unsigned char in[2];
    struct header h = {1, 2, 3, 4};
    if (read(0, in, 2) != 2)
        return 1;
    h.kind = in[0];
    h.offset = (signed)in[1];
    assert(h.version == 1 && h.length == 3);
#ifdef FIXED
    assert(h.kind < 32 && h.offset >= -32 && h.offset < 32);
#else
    assert(h.kind != 7 || h.offset != 11); // expect: assertion-failure
#endif
    return 0;
}
