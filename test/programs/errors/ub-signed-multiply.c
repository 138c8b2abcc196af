// Multiplies image dimensions in an int.
// options: --ubsan all
#include <stdio.h>

static long bytes(int width, int height, int depth)
{
    return width * height * depth; // expect: undefined-behaviour
}

int main(void)
{
    printf("%ld\n", bytes(640, 480, 4));
    printf("%ld\n", bytes(40000, 30000, 4));
    return 0;
}
