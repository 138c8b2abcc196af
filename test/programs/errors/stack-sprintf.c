// Formats an integer into a buffer that fits every number but the negative ones.
#include <limits.h>
#include <stdio.h>
#include <string.h>

static size_t width(int value)
{
    char digits[11];
    sprintf(digits, "%d", value); // expect: stack-buffer-overflow write
    return strlen(digits);
}

int main(void)
{
    static const int values[] = { 0, -1, INT_MAX, INT_MIN };
    for (int i = 0; i < 4; i++)
        printf("%zu\n", width(values[i]));
    return 0;
}
