// Takes the absolute value of the smallest int as an unsigned.
// options: --ubsan all
// stdout: 7
// stdout: 2147483648
#include <limits.h>
#include <stdio.h>

static unsigned magnitude(int x)
{
    return x < 0 ? 0u - x : (unsigned)x;
}

int main(void)
{
    printf("%u\n", magnitude(-7));
    printf("%u\n", magnitude(INT_MIN));
    return 0;
}
