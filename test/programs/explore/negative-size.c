// A header that is larger than the packet makes the length of the rest negative.
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin "\x04\x09"
#include <string.h>
#include <unistd.h>

static char payload[300], copy[300];

int main(void)
{
    unsigned char lengths[2];
    if (read(0, lengths, 2) != 2)
        return 1;
    int rest = lengths[0] - lengths[1];
#ifdef FIXED
    if (rest < 0)
        return 2;
#endif
    if (rest > 200)
        return 3;
    memcpy(copy, payload, (size_t)rest); // expect: negative-size
    return copy[0];
}
