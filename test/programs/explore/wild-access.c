// An address computed from the input by a wrong base.
// run: explore --sym-stdin 4
// twin: -DFIXED
// witness: stdin "#\x01\x02\x03"
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static char memory[64];

int main(void)
{
    unsigned char in[4];
    if (read(0, in, 4) != 4 || in[0] != '#')
        return 1;
    uintptr_t offset = in[1] | in[2] << 8 | (uintptr_t)in[3] << 16;
#ifdef FIXED
    return memory[offset % sizeof memory];
#else
    if (offset < 0x10000)
        return 2;
    return *(volatile char *)offset; // expect: wild-access|null-dereference read
#endif
}
