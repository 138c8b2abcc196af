// Scans an int into a variable of type int.
// stdout: 42
#include <stdio.h>

static int total(const char *text)
{
    int sum = 0, used;
    for (;;) {
        int value;
        if (sscanf(text, "%d%n", &value, &used) != 1)
            return sum;
        sum += value;
        text += used;
    }
}

int main(void)
{
    printf("%d\n", total("12 30 -4 4"));
    return 0;
}
