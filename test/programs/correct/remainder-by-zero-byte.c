// A rotation by a byte-sized amount that is never zero.
// stdout: 201
// stdout: 146
// stdout: 91
// stdout: 0
#include <stdint.h>
#include <stdio.h>

static uint8_t next_index(uint8_t index, uint8_t size)
{
    return size ? (uint8_t)(index + 1) % size : 0;
}

int main(void)
{
    uint8_t index = 0;
    for (int size = 250; size <= 256; size += 2)
        printf("%d\n", index = next_index(index + 200, size));
    return 0;
}
