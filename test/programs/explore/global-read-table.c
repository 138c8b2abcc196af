// A table of token classes for 7-bit characters, indexed by a byte.
// run: explore --sym-stdin 1
// twin: -DFIXED
// witness: stdin "\x85"
#include <stdio.h>

static unsigned char classes[128] = {['a'] = 1, ['b'] = 1, ['0'] = 2, ['1'] = 2, [' '] = 3};

int main(void)
{
    int c = getchar();
    if (c == EOF)
        return 1;
#ifdef FIXED
    c &= 127;
#else
    if (c > 140)
        return 2;
#endif
    switch (classes[c]) { // expect: global-buffer-overflow read
    case 1: return 10;
    case 2: return 20;
    case 3: return 30;
    }
    return 0;
}
