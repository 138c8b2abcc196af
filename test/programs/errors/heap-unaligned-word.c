// A scanner for a magic number reads a whole word at each of the last three bytes too.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct __attribute__((packed)) word {
    uint32_t value;
};

static int find(const unsigned char *data, size_t size, uint32_t magic)
{
    for (size_t i = 0; i < size; i++)
        if (((const struct word *)(data + i))->value == magic) // expect: heap-buffer-overflow read
            return i;
    return -1;
}

int main(void)
{
    unsigned char *data = malloc(22);
    for (int i = 0; i < 22; i++)
        data[i] = i * 7;
    printf("%d\n", find(data, 22, 0x1c150e07));
    printf("%d\n", find(data, 22, 0x04030201));
    free(data);
    return 0;
}
