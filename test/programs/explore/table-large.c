// A table of 4096 words filled by a permutation: the index of one value is asked for.
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin "\x57\x05"
#include <assert.h>
#include <unistd.h>

static unsigned short table[4096];

int main(void)
{
    unsigned char in[2];
    for (unsigned i = 0; i < 4096; i++)
        table[i] = (unsigned short)((i * 2654435u + 12345u) % 4096u);
    if (read(0, in, 2) != 2)
        return 1;
    unsigned index = (in[0] | in[1] << 8) & 4095;
#ifdef FIXED
    assert(table[index] < 4096);
#else
    assert(table[index] != 3166); // expect: assertion-failure
#endif
    return 0;
}
