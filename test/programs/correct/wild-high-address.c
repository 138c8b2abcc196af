// Reduces a 64-bit offset before adding it to a base pointer.
// stdout: 6
#include <stdint.h>
#include <stdio.h>

static unsigned char arena[256];

static unsigned char *locate(uint64_t key)
{
    uint64_t mixed = key * 0x9e3779b97f4a7c15u;
    return arena + (mixed >> 56);
}

int main(void)
{
    for (uint64_t key = 1; key < 4; key++)
        *locate(key) = (unsigned char)key;
    int sum = 0;
    for (int i = 0; i < 256; i++)
        sum += arena[i];
    printf("%d\n", sum);
    return 0;
}
