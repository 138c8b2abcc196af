// The block has room for ten numbers, the index is one of the other block's.
// native: none (AddressSanitizer's redzones are jumped over as well)
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    volatile int count = 10;
    int *few = malloc((size_t)count * sizeof *few), *many = calloc(100, sizeof *many);
    if (few == NULL || many == NULL)
        return 1;
    for (int i = 0; i < 10; i++)
        few[i] = i;
    volatile int index = (int)(((uintptr_t)many - (uintptr_t)few) / sizeof *few);
    few[index + 50] = 7; // expect: heap-buffer-overflow write
    printf("%d %d\n", few[1], many[50]);
    free(few);
    free(many);
    return 0;
}
