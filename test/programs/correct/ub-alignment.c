// Reads a 32-bit field at an odd offset of a byte buffer with memcpy.
// options: --ubsan all
// stdout: 4030201
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t field(const unsigned char *record)
{
    uint32_t value;
    memcpy(&value, record + 1, sizeof value);
    return value;
}

int main(void)
{
    static const _Alignas(8) unsigned char record[8] = { 9, 1, 2, 3, 4, 5, 6, 7 };
    printf("%x\n", field(record));
    return 0;
}
