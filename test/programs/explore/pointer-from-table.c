// Pointers to heap blocks of different sizes, chosen and indexed by the input.
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin "\x00\x02"
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned char in[2];
    char *blocks[3];
    for (int i = 0; i < 3; i++)
        blocks[i] = calloc(1, (size_t)i * 2 + 2);
    if (read(0, in, 2) != 2 || in[0] > 2 || in[1] > 5)
        return 1;
#ifdef FIXED
    if (in[1] >= in[0] * 2 + 2)
        return 2;
#endif
    char value = blocks[in[0]][in[1]]; // expect: heap-buffer-overflow read
    for (int i = 0; i < 3; i++)
        free(blocks[i]);
    return value;
}
