// A game's board keeps which squares were seen; the square comes from the input. Its neighbour is large, so that nearly every
// wrong square is one of the neighbour's bytes.
// run: explore --sym-stdin 2
// twin: -DFIXED
// native: none (AddressSanitizer's redzones are jumped over as well)
#include <unistd.h>

static int seen[10];
static int others[70000];

int main(void)
{
    unsigned char square[2];
    if (read(0, square, 2) != 2)
        return 1;
    unsigned n = square[0] * 256u + square[1];
#ifdef FIXED
    if (n >= 10)
        return 2;
#endif
    seen[n] = 1; // expect: global-buffer-overflow write
    return seen[3] + others[4];
}
