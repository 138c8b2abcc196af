// A mark in a large table, then an access to a small one that the same number may leave.
#include <unistd.h>

static char marks[0x10000];
static int names[100];

int main(void)
{
    unsigned char in[2];
    if (read(0, in, 2) != 2)
        return 1;
    unsigned n = in[0] + 256u * in[1];
    marks[n] = 1;
    if (n >= 30000)
        return 2;
    return names[n / 250];
}
