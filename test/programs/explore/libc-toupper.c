// Letters of both cases are one command after toupper.
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin "oK"
#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned char in[2];
    if (read(0, in, 2) != 2)
        return 1;
#ifdef FIXED
    if (in[0] > 'a' && in[1] != 'k')
        return 2;
#endif
    if (toupper(in[0]) == 'O' && toupper(in[1]) == 'K' && in[0] != 'O' && in[1] == 'K')
        abort(); // expect: abort
    return 0;
}
