// Variadic functions called through pointers of other types, and ordinary ones through variadic pointers: the arguments
// arrive where the calling convention puts them.
// stdout: 42 36
// stdout: 1234 507
// stdout: 17
// stdout: none
#include <stdarg.h>
#include <stdio.h>

static int sum(int count, ...)
{
    va_list list;
    va_start(list, count);
    int total = 0;
    while (count-- > 0)
        total += va_arg(list, int);
    va_end(list);
    return total;
}

static long fixed(long a, long b, double c, int d)
{
    return a * 1000 + b * 100 + (long)c * 10 + d;
}

/* Calls sum through the host while the host calls it. */
static int nested(int count, ...)
{
    int (*volatile inner)(int, int) = (int (*)(int, int))sum;
    va_list list;
    va_start(list, count);
    int total = inner(1, 500) + va_arg(list, int);
    va_end(list);
    return total;
}

int main(void)
{
    int (*volatile one)(int, int) = (int (*)(int, int))sum;
    int (*volatile eight)(int, int, int, int, int, int, int, int, int) =
        (int (*)(int, int, int, int, int, int, int, int, int))sum;
    long (*volatile variadic)(long, ...) = (long (*)(long, ...))fixed;
    int (*volatile outer)(int, int) = (int (*)(int, int))nested;
    int (*volatile print)(const char *, int) = (int (*)(const char *, int))printf;
    int (*volatile plain)(const char *, ...) = printf;
    printf("%d %d\n", one(1, 42), eight(8, 1, 2, 3, 4, 5, 6, 7, 8));
    printf("%ld %d\n", variadic(1, 2L, 3.0, 4), outer(1, 7));
    print("%d\n", 17);
    plain("none\n");
    return 0;
}
