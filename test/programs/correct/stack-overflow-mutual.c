// Two functions call each other down to zero.
// stdout: 8
#include <stdio.h>

static unsigned long is_odd(unsigned long n);

static unsigned long is_even(unsigned long n)
{
    if (n == 0)
        return 1;
    return is_odd(n - 1) + (n & 1) * 2;
}

static unsigned long is_odd(unsigned long n)
{
    if (n == 0)
        return 0;
    return is_even(n - 1) ^ (n & 4);
}

int main(void)
{
    printf("%lu\n", is_even(7));
    return 0;
}
