// A pointer to a variable of an inner block outlives it on one path only.
// run: explore --sym-stdin 1
// twin: -DFIXED
// witness: stdin "7"
#include <stdio.h>

int main(void)
{
    int c = getchar(), fallback = 5;
    int *digit = &fallback;
#ifdef FIXED
    int value;
#endif
    if (c >= '0' && c <= '9') {
#ifndef FIXED
        int value;
#endif
        value = c - '0';
        if (value == 7)
            digit = &value;
    }
    return *digit == 100; // expect: stack-use-after-scope read
}
