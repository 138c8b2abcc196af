// Blocks of four gigabytes and more are refused by every function that allocates; a function with a huge variable that
// is never called does no harm.
// stdout: 0 0 0 0 0
// stdout: 0 0 0 0 0
// stdout: 0 0 0 0 0
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int lookup(unsigned n)
{
    volatile char table[5000000000UL];
    table[n] = 1;
    return table[n];
}

int main(int argc, char **argv)
{
    (void)argv;
    static const size_t sizes[] = { (size_t)1 << 40, SIZE_MAX - 15, (size_t)1 << 62 };
    for (int i = 0; i < 3; i++) {
        volatile size_t size = sizes[i];
        char *block = malloc(8), *larger = realloc(block, size);
        void *aligned = NULL;
        int refused = posix_memalign(&aligned, 64, size);
        printf("%d %d %d %d %d\n", malloc(size) != NULL, calloc(size, 1) != NULL, calloc(size, size) != NULL,
               larger != NULL, refused == 0);
        free(block);
    }
    return argc > 100 ? lookup((unsigned)argc) : 0;
}
