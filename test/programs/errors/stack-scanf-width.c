// Scans a long into a variable of type int.
#include <stdio.h>

static int total(const char *text)
{
    int sum = 0, used;
    for (;;) {
        int value;
        if (sscanf(text, "%ld%n", (long *)&value, &used) != 1) // expect: stack-buffer-overflow write
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
