// Multiplies image dimensions in a long.
// options: --ubsan all
// stdout: 1228800
// stdout: 4800000000
#include <stdio.h>

static long bytes(int width, int height, int depth)
{
    return (long)width * height * depth;
}

int main(void)
{
    printf("%ld\n", bytes(640, 480, 4));
    printf("%ld\n", bytes(40000, 30000, 4));
    return 0;
}
