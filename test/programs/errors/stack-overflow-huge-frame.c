// A table of five gigabytes as a local variable: more than 32 bits can count, and more than any stack has.
// native: none (whether it fails depends on which bytes are touched)
#include <stdio.h>

static int lookup(unsigned n) // expect-function: stack-overflow
{
    volatile char table[5000000000UL];
    table[n] = 1;
    return table[n];
}

int main(int argc, char **argv)
{
    (void)argv;
    printf("%d\n", lookup((unsigned)argc));
    return 0;
}
