// Two numbers and a letter between them, taken apart by sscanf.
// run: explore --sym-stdin 5
// twin: -DFIXED
// witness: stdin "12x09"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char text[6] = "", between;
    int width, height;
    if (read(0, text, 5) != 5)
        return 1;
    if (sscanf(text, "%2d%c%2d", &width, &between, &height) != 3)
        return 2;
#ifdef FIXED
    if (width >= height)
        return 3;
#endif
    if (between == 'x' && width == 12 && height == 9)
        abort(); // expect: abort
    return 0;
}
