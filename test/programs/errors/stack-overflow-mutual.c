// Two functions call each other without an end, with no local arrays at all.
#include <stdio.h>

static unsigned long is_odd(unsigned long n);

static unsigned long is_even(unsigned long n) // expect-function: stack-overflow
{
    return is_odd(n - 1) + (n & 1) * 2;
}

static unsigned long is_odd(unsigned long n) // expect-function: stack-overflow
{
    return is_even(n - 1) ^ (n & 4);
}

int main(void)
{
    printf("%lu\n", is_even(7));
    return 0;
}
