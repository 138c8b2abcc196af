// The mean of doubles through a copy of the list; and functions that may be given less than they read.
// stdout: 1.5
// stdout: 2
// stdout: 1
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>

static double mean(int count, ...)
{
    va_list list, copy;
    va_start(list, count);
    va_copy(copy, list);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += va_arg(copy, double);
    va_end(copy);
    va_end(list);
    return sum / count;
}

int main(void)
{
    printf("%g\n", mean(2, 1.0, 2.0));
    printf("%g\n", mean(2, 1.5, 2.5));
    printf("%d\n", fcntl(1, F_GETFD) >= 0);
    return 0;
}
