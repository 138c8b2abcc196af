// Values of two words at a symbolic index: both halves are of the same element (once the second was taken to be at the
// address of the first, and every path behind it diverged).
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin "\x03\x01"
#include <assert.h>
#include <unistd.h>

static __int128 cells[4] = {1, 2, 3, (__int128)1 << 64};

int main(void)
{
    unsigned char in[2];
    if (read(0, in, 2) != 2 || in[0] > 3 || in[1] > 3)
        return 1;
    __int128 value = cells[in[0]];
    if (value == 3)
        assert(in[0] == 2);
    cells[in[1]] = value * 5;
    if (cells[1] == (__int128)5 << 64) {
#ifdef FIXED
        assert(in[0] == 3 && in[1] == 1);
#else
        assert(in[0] != 3); // expect: assertion-failure
#endif
    }
    return 0;
}
