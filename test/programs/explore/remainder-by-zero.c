// A ring buffer's size is taken from a header in thirds.
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin "\x02\x08"
#include <unistd.h>

int main(void)
{
    unsigned char header[2];
    if (read(0, header, 2) != 2)
        return 1;
    unsigned size = header[0] / 3;
#ifdef FIXED
    size++;
#endif
    return header[1] % size == 4; // expect: division-by-zero
}
