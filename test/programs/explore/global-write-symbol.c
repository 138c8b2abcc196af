// A symbol table of eight entries; the slot comes out of a hash that is one bit too wide.
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin "a\x05"
#include <unistd.h>

#ifdef FIXED
#define MASK 7
#else
#define MASK 9
#endif

static short symbols[8];

int main(void)
{
    unsigned char name[2];
    if (read(0, name, 2) != 2)
        return 1;
    unsigned hash = (name[0] * 3u + name[1]) & MASK;
    symbols[hash] = 1; // expect: global-buffer-overflow write
    return symbols[7];
}
