// Writes roman numerals into a static local buffer.
// stdout: MCMXCIV
// stdout: MDCCCLXXXVIII
#include <stdio.h>

static const char *roman(int value)
{
    static const int values[] = { 1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1 };
    static const char letters[][3] = { "M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I" };
    static char text[16];
    char *p = text;
    for (int i = 0; value > 0; i++)
        for (; value >= values[i]; value -= values[i])
            for (const char *l = letters[i]; *l; l++)
                *p++ = *l;
    *p = 0;
    return text;
}

int main(void)
{
    puts(roman(1994));
    puts(roman(1888));
    return 0;
}
