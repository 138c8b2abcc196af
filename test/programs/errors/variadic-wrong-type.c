// The mean of doubles is asked for with whole numbers, which travel in other registers.
// native: none (the function reads what a register holds)
#include <stdarg.h>
#include <stdio.h>

static double mean(int count, ...)
{
    va_list list, copy;
    va_start(list, count);
    va_copy(copy, list);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += va_arg(copy, double); // expect: missing-argument
    va_end(copy);
    va_end(list);
    return sum / count;
}

int main(void)
{
    printf("%g\n", mean(2, 1.0, 2.0));
    printf("%g\n", mean(2, 1, 2));
    return 0;
}
