// The block's size depends on the input, and the function that allocates it is called through a pointer.
// run: explore --sym-stdin 1
// twin: -DFIXED
// witness: stdin "\x05"
#include <stdlib.h>
#include <unistd.h>

static void *(*allocate)(size_t) = malloc;

int main(void)
{
    unsigned char byte;
    if (read(0, &byte, 1) != 1)
        return 1;
    char *block = allocate(40 + ((byte - 5) & 31));
    if (!block)
        return 2;
#ifdef FIXED
    block[39] = 1;
#else
    block[40] = 1; // expect: heap-buffer-overflow write
#endif
    free(block);
    return 0;
}
