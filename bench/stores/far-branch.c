// One place of 8192 is marked, then a test for one of them.
#include <assert.h>
#include <unistd.h>

static char marks[8192];

int main(void)
{
    unsigned char in[2];
    if (read(0, in, 2) != 2)
        return 1;
    unsigned n = (in[0] + 256u * in[1]) % 8192;
    marks[n] = 1;
    assert(n != 4242);
    return 0;
}
