// A checksum by table: three bytes whose CRC-8 is a given value are derived through the table.
// run: explore --sym-stdin 3
// twin: -DFIXED
// witness: stdin "ab\xc9"
#include <assert.h>
#include <unistd.h>

static unsigned char table[256];

int main(void)
{
    unsigned char in[3], crc = 0;
    for (int i = 0; i < 256; i++) {
        int value = i;
        for (int bit = 0; bit < 8; bit++)
            value = value & 0x80 ? value << 1 ^ 0x107 : value << 1;
        table[i] = (unsigned char)value;
    }
    if (read(0, in, 3) != 3 || in[0] != 'a' || in[1] != 'b')
        return 1;
    for (int i = 0; i < 3; i++)
        crc = table[crc ^ in[i]];
#ifdef FIXED
    assert(table[crc] == table[crc ^ 0]);
#else
    assert(crc != 0); // expect: assertion-failure
#endif
    return 0;
}
