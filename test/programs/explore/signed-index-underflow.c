// A char is signed: a byte above 127 indexes before the array.
// run: explore --sym-stdin 1
// twin: -DFIXED
// witness: stdin "\xff"
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char c;
    if (read(0, &c, 1) != 1)
        return 1;
    if (c > 15 || c < -3)
        return 2;
    char *flags = calloc(16, 1);
#ifdef FIXED
    flags[c & 15] = 1;
#else
    flags[c] = 1; // expect: heap-buffer-overflow write
#endif
    free(flags);
    return 0;
}
