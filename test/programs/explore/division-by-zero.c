// The divisor is a difference of two input bytes.
// run: explore --sym-stdin 3
// twin: -DFIXED
// witness: stdin "/aa"
#include <unistd.h>

int main(void)
{
    unsigned char in[3];
    if (read(0, in, 3) != 3 || in[0] != '/')
        return 1;
    int width = in[1] - in[2];
#ifdef FIXED
    if (width == 0)
        return 2;
#endif
    return 640 / width == 3; // expect: division-by-zero
}
