// Every kind of 80-bit pattern, also those that the x87 takes for no number: how they are classified, compared, converted.
// stdout: quiet: 1000 1000 0 0
// stdout: signalling: 1000 1000 0 0
// stdout: pseudo-nan: 1000 1000 0 0
// stdout: pseudo-infinity: 1000 1000 0 0
// stdout: pseudo-zero: 1000 1000 0 0
// stdout: unnormal: 1000 1000 0 0
// stdout: unnormal, small: 1000 1000 0 0
// stdout: pseudo-denormal: 0010 0100 4 0
// stdout: denormal: 0010 0100 3 0
// stdout: smallest: 0011 0100 4 0
// stdout: largest: 0011 0001 4 0
// stdout: infinity: 0100 0100 1 8000000000000000
// stdout: zero: 0010 0100 2 0
// stdout: one: 0011 0010 4 1
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    unsigned short exponent;
    unsigned long significand;
    const char *name;
} patterns[] = {
    {0x7fff, 0xc333333300000000UL, "quiet"},       {0x7fff, 0x8333333300000000UL, "signalling"},
    {0x7fff, 0x4000000100000000UL, "pseudo-nan"},  {0xffff, 0x0000000000000000UL, "pseudo-infinity"},
    {0x4004, 0x0000000000000000UL, "pseudo-zero"}, {0x4000, 0x6333333300000000UL, "unnormal"},
    {0x0001, 0x7000000000000000UL, "unnormal, small"}, {0x0000, 0x8333333300000000UL, "pseudo-denormal"},
    {0x0000, 0x0000000000000001UL, "denormal"},    {0x0001, 0x8000000000000000UL, "smallest"},
    {0x7ffe, 0xffffffffffffffffUL, "largest"},     {0xffff, 0x8000000000000000UL, "infinity"},
    {0x8000, 0x0000000000000000UL, "zero"},        {0x3fff, 0x8000000000000000UL, "one"},
};

int main(void)
{
    for (unsigned i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        volatile long double x = 0, one = 1;
        memcpy((void *)&x, &patterns[i].significand, 8);
        memcpy((char *)&x + 8, &patterns[i].exponent, 2);
        printf("%s: %d%d%d%d %d%d%d%d %d %lx\n", patterns[i].name, !!__builtin_isnan(x), !!__builtin_isinf(x),
               !!__builtin_isfinite(x), !!__builtin_isnormal(x), x != x, x < one, x == one, x > one, fpclassify(x),
               (unsigned long)x);
    }
    return 0;
}
