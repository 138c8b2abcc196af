// Base64 decoding by a table of 256 entries: the four letters that stand for three given bytes.
// run: explore --sym-stdin 4
// twin: -DFIXED
// witness: stdin "S2V5"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static signed char values[256];

int main(void)
{
    unsigned char in[4], out[3];
    memset(values, -1, sizeof values);
    for (int i = 0; i < 64; i++)
        values[(unsigned char)letters[i]] = (signed char)i;
    if (read(0, in, 4) != 4)
        return 1;
    unsigned group = 0;
    for (int i = 0; i < 4; i++) {
        if (values[in[i]] < 0)
            return 2;
        group = group << 6 | (unsigned)values[in[i]];
    }
    for (int i = 0; i < 3; i++)
        out[i] = (unsigned char)(group >> (16 - 8 * i));
#ifdef FIXED
    if (in[0] == 'S')
        return 3;
#endif
    if (memcmp(out, "Key", 3) == 0)
        abort(); // expect: abort
    return 0;
}
