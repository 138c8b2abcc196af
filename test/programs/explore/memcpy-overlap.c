// A field is moved down by a distance from the input; the ranges overlap if it is short.
// run: explore --sym-stdin 1
// twin: -DFIXED
// witness: stdin "\x03"
// native: none (gcc copies eight bytes by a load and a store)
#include <stdio.h>
#include <string.h>

static char buffer[24];

int main(void)
{
    int distance = getchar() & 15;
    if (distance == 0)
        return 1;
#ifdef FIXED
    memmove(buffer, buffer + distance, 8);
#else
    memcpy(buffer, buffer + distance, 8); // expect: memcpy-overlap
#endif
    return buffer[0];
}
