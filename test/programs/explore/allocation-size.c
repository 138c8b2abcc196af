// Width times height does not fit 16 bits, so too little is allocated.
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin "\x81\xff"
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned char size[2];
    if (read(0, size, 2) != 2 || size[0] < 128 || size[0] > 131 || size[1] < 250)
        return 1;
#ifdef FIXED
    uint32_t bytes = size[0] * size[1] * 2u;
#else
    uint16_t bytes = (uint16_t)(size[0] * size[1] * 2u);
#endif
    char *pixels = malloc(bytes);
    if (!pixels)
        return 2;
    pixels[size[0] * size[1]] = 1; // expect: heap-buffer-overflow write|wild-access write
    free(pixels);
    return 0;
}
