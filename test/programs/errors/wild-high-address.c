// Adds a 64-bit offset to a base pointer without reducing it.
#include <stdint.h>
#include <stdio.h>

static unsigned char arena[256];

static unsigned char *locate(uint64_t key)
{
    uint64_t mixed = key * 0x9e3779b97f4a7c15u;
    return arena + (mixed >> 20);
}

int main(void)
{
    for (uint64_t key = 1; key < 4; key++)
        *locate(key) = (unsigned char)key; // expect: wild-access write
    int sum = 0;
    for (int i = 0; i < 256; i++)
        sum += arena[i];
    printf("%d\n", sum);
    return 0;
}
