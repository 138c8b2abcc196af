// memcpy, memmove, memset and plain loops carry symbolic bytes along.
// run: explore --sym-stdin 4
// twin: -DFIXED
// witness: stdin "abcd"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char in[4], a[8], *b = malloc(8), c[8];
    if (read(0, in, 4) != 4)
        return 1;
    memset(a, in[0], sizeof a);
    memcpy(a + 2, in, 4);
    memmove(a + 3, a + 2, 4);
    memcpy(b, a, 8);
    for (int i = 0; i < 8; i++)
        c[i] = b[7 - i];
    free(b);
    /* a is now: a a a a b c d a, the letters being those of the input. */
#ifdef FIXED
    if (c[0] != in[0] || c[1] != in[3] || c[4] != in[0])
        abort();
#else
    if (c[1] == 'd' && c[2] == 'c' && c[3] == 'b' && c[7] == 'a')
        abort(); // expect: abort
#endif
    return 0;
}
