// A magic number of twelve bytes is hard to guess; a seed that has it leads behind it.
// run: explore --sym-stdin 14 --seed seed.bin --max-paths 50
// file: seed.bin "TANGENTMAGIC00"
// twin: -DFIXED
// witness: stdin "TANGENTMAGIC42"
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned char in[14];
    unsigned hash = 5381;
    if (read(0, in, 14) != 14)
        return 1;
    for (int i = 0; i < 12; i++)
        hash = hash * 33 ^ in[i];
    if (hash != 1655528423u)
        return 2;
#ifdef FIXED
    if (in[12] == '4')
        return 3;
#endif
    if (in[12] == '4' && in[13] == '2')
        abort(); // expect: abort
    return 0;
}
