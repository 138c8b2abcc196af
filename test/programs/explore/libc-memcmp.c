// A magic number of eight bytes with zeros inside.
// run: explore --sym-stdin 9
// twin: -DFIXED
// witness: stdin "\x89P\x00G\r\n\x00\n\x01"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const unsigned char magic[8] = {0x89, 'P', 0, 'G', '\r', '\n', 0, '\n'};

int main(void)
{
    unsigned char file[9];
    if (read(0, file, 9) != 9)
        return 1;
    if (memcmp(file, magic, 8) != 0)
        return memcmp(file, magic, 8) < 0 ? 2 : 3;
#ifndef FIXED
    if (file[8] & 1)
        abort(); // expect: abort
#endif
    return 0;
}
