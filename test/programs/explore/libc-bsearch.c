// A binary search in a sorted table for a key from the input.
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin "\x2c\x01"
#include <stdlib.h>
#include <unistd.h>

static const unsigned short table[] = {3, 17, 44, 100, 200, 300, 1000, 4000, 9999};

static int compare(const void *key, const void *entry)
{
    int a = *(const unsigned short *)key, b = *(const unsigned short *)entry;
    return a - b;
}

int main(void)
{
    unsigned char in[2];
    if (read(0, in, 2) != 2)
        return 1;
    unsigned short key = (unsigned short)(in[0] | in[1] << 8);
    const unsigned short *found = bsearch(&key, table, 9, sizeof *table, compare);
#ifdef FIXED
    if (key == 300)
        return 2;
#endif
    if (found && found - table == 5)
        abort(); // expect: abort
    return 0;
}
