// Adds up file sizes in a long.
// options: --ubsan all
// stdout: 2147483648
#include <stdio.h>

int main(void)
{
    static const int sizes[] = { 1 << 30, 1 << 29, 1 << 29 };
    long total = 0;
    for (int i = 0; i < 3; i++)
        total += sizes[i];
    printf("%ld\n", (long)total);
    return 0;
}
