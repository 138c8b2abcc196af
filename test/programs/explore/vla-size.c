// An array as long as the first byte says, indexed by the second.
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin "\x02\x03"
#include <unistd.h>

int main(void)
{
    unsigned char in[2];
    if (read(0, in, 2) != 2 || in[0] == 0 || in[0] > 4 || in[1] > 6)
        return 1;
    char cells[in[0]];
    for (int i = 0; i < in[0]; i++)
        cells[i] = (char)i;
#ifdef FIXED
    if (in[1] >= in[0])
        return 2;
#endif
    return cells[in[1]] == 3; // expect: stack-buffer-overflow read
}
