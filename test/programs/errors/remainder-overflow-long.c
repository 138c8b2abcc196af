// A greatest common divisor meets the smallest long and -1.
#include <limits.h>
#include <stdio.h>

static long gcd(long a, long b)
{
    while (b != 0) {
        long r = a % b; // expect: division-overflow
        a = b;
        b = r;
    }
    return a;
}

int main(void)
{
    printf("%ld\n", (long)gcd(48, 36));
    printf("%ld\n", (long)gcd(LONG_MIN, -1));
    return 0;
}
