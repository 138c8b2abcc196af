// Two different errors at two lines: both are found, each once.
// run: explore --sym-stdin 2
// twin: -DFIXED
// findings: 2
// witness: stdin "1/"
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned char in[2];
    if (read(0, in, 2) != 2)
        return 1;
#ifdef FIXED
    if (in[0] == '1' || in[1] == 0)
        return 2;
#endif
    if (in[0] == '1' && in[1] == '/')
        abort(); // expect: abort
    return 100 / in[1] == 7; // expect: division-by-zero
}
