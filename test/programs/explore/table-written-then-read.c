// Bytes of the input are stored in a table, which the input then indexes.
// run: explore --sym-stdin 5
// twin: -DFIXED
// witness: stdin "abcd\x02"
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned char in[5], table[4];
    if (read(0, in, 5) != 5 || in[4] > 3)
        return 1;
    for (int i = 0; i < 4; i++)
        table[i] = in[i] ^ 0x20;
#ifdef FIXED
    table[2] = 'c';
#endif
    if (table[in[4]] == 'C' && in[4] == 2)
        abort(); // expect: abort
    return 0;
}
