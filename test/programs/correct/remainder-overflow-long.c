// A greatest common divisor works on magnitudes.
// stdout: 12
// stdout: 1
#include <limits.h>
#include <stdio.h>

static unsigned long gcd(unsigned long a, unsigned long b)
{
    while (b != 0) {
        unsigned long r = a % b;
        a = b;
        b = r;
    }
    return a;
}

int main(void)
{
    printf("%ld\n", (long)gcd(48, 36));
    printf("%ld\n", (long)gcd(0ul - LONG_MIN, 1));
    return 0;
}
