// Classes of 16 numbers: four pairs from the input are joined, then two numbers must be in one class.
#include <assert.h>
#include <unistd.h>

static unsigned char above[16];

static unsigned find(unsigned n)
{
    for (int i = 0; i < 3; i++)
        n = above[n];
    return n;
}

int main(void)
{
    unsigned char in[6];
    if (read(0, in, 6) != 6)
        return 1;
    for (int i = 0; i < 16; i++)
        above[i] = (unsigned char)i;
    for (int i = 0; i < 6; i += 2)
        above[in[i] & 15] = in[i + 1] & 15;
    assert(!(find(1) == 14 && above[1] != 14 && find(2) == 9));
    return 0;
}
