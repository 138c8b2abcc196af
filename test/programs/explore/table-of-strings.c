// A table of pointers: the string is chosen by one byte, its letter by another.
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin "\x02\x05"
#include <unistd.h>

static const char *const words[4] = {"north", "south", "east", "west"};

int main(void)
{
    unsigned char in[2];
    if (read(0, in, 2) != 2 || in[0] > 3 || in[1] > 5)
        return 1;
#ifdef FIXED
    if (in[0] > 1 && in[1] > 4)
        return 2;
#endif
    return words[in[0]][in[1]] == 'q'; // expect: global-buffer-overflow read
}
