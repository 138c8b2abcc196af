// As much of the input is written as it says; what comes next depends on the same number.
#include <assert.h>
#include <unistd.h>

static char text[0x10000];

int main(void)
{
    unsigned char in[2];
    if (read(0, in, 2) != 2)
        return 1;
    unsigned n = in[0] + 256u * in[1];
    if (write(1, text, n) < 0)
        return 2;
    assert((n ^ 0x1234) != 0x5555);
    return 0;
}
