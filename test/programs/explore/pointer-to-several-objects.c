// A symbolic pointer that may point into either of two objects.
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin "b\x03"
#include <stdlib.h>
#include <unistd.h>

static char first[4] = "abc", second[4] = "xyz";

int main(void)
{
    unsigned char in[2];
    if (read(0, in, 2) != 2 || in[1] > 3)
        return 1;
    char *base = in[0] == 'a' ? first : second;
#ifdef FIXED
    if (in[1] == 3)
        return 2;
#endif
    if (base[in[1]] == 0 && base == second)
        abort(); // expect: abort
    return 0;
}
