// Adds up file sizes in an int.
// options: --ubsan all
#include <stdio.h>

int main(void)
{
    static const int sizes[] = { 1 << 30, 1 << 29, 1 << 29 };
    int total = 0;
    for (int i = 0; i < 3; i++)
        total += sizes[i]; // expect: undefined-behaviour
    printf("%ld\n", (long)total);
    return 0;
}
