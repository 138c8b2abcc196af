// Formats an integer into a buffer that fits every number.
// stdout: 1
// stdout: 2
// stdout: 10
// stdout: 11
#include <limits.h>
#include <stdio.h>
#include <string.h>

static size_t width(int value)
{
    char digits[12];
    sprintf(digits, "%d", value);
    return strlen(digits);
}

int main(void)
{
    static const int values[] = { 0, -1, INT_MAX, INT_MIN };
    for (int i = 0; i < 4; i++)
        printf("%zu\n", width(values[i]));
    return 0;
}
