// Fills a digit buffer from its end, and a long binary number runs out at the front.
#include <stdio.h>

static void print_in_base(unsigned value, unsigned base)
{
    char digits[17];
    char *p = digits + sizeof digits;
    *--p = 0;
    do
        *--p = "0123456789abcdef"[value % base]; // expect: stack-buffer-overflow write
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
