// Reads a 32-bit field at an odd offset of a byte buffer through a pointer cast.
// options: --ubsan all
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t field(const unsigned char *record)
{
    return *(const uint32_t *)(record + 1); // expect: undefined-behaviour
}

int main(void)
{
    static const _Alignas(8) unsigned char record[8] = { 9, 1, 2, 3, 4, 5, 6, 7 };
    printf("%x\n", field(record));
    return 0;
}
