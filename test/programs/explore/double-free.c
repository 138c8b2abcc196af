// Two ways out of a parser free the same block when both of its flags are set.
// run: explore --sym-stdin 1
// twin: -DFIXED
// witness: stdin "\x41"
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int flags = getchar();
    char *buffer = malloc(16);
    if (flags & 0x40) {
        free(buffer);
#ifdef FIXED
        buffer = NULL;
#endif
    }
    if ((flags & 0x0f) == 1)
        free(buffer); // expect: double-free
    else if (!(flags & 0x40))
        free(buffer);
    return 0;
}
