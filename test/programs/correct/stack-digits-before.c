// Fills a digit buffer from its end.
// stdout: beef
// stdout: 1000000
// stdout: 1111111111111111
// stdout: 10000000000000000
#include <stdio.h>

static void print_in_base(unsigned value, unsigned base)
{
    char digits[33];
    char *p = digits + sizeof digits;
    *--p = 0;
    do
        *--p = "0123456789abcdef"[value % base];
    while (value /= base);
    puts(p);
}

int main(void)
{
    print_in_base(48879, 16);
    print_in_base(1000000, 10);
    print_in_base(65535, 2);
    print_in_base(65536, 2);
    return 0;
}
