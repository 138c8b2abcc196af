// Variable arguments of type long double, which are 16-byte aligned among 8-byte ones.
// stdout: 12.875
// stdout: 0.5 7 -1e+300 text 3
// stdout: 9007199254740995
#include <stdarg.h>
#include <stdio.h>

static long double sum(int count, ...)
{
    va_list ap;
    long double total = 0;
    va_start(ap, count);
    for (int i = 0; i < count; i++) {
        total += va_arg(ap, long double);
        total += va_arg(ap, int);
    }
    va_end(ap);
    return total;
}

int main(void)
{
    printf("%.3Lf\n", sum(3, 1.5L, 1, 2.25L, 2, 3.125L, 3));
    printf("%Lg %d %Lg %s %Lg\n", 0.5L, 7, -1e300L, "text", 3.0L);
    printf("%.0Lf\n", sum(2, 9007199254740993.0L, 0, 1.0L, 1));
    return 0;
}
