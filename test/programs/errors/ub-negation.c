// Takes the absolute value of the smallest int.
// options: --ubsan all
#include <limits.h>
#include <stdio.h>

static unsigned magnitude(int x)
{
    return x < 0 ? -x : x; // expect: undefined-behaviour
}

int main(void)
{
    printf("%u\n", magnitude(-7));
    printf("%u\n", magnitude(INT_MIN));
    return 0;
}
