// A list of numbers ends with -1, in registers and in memory.
// stdout: 4
// stdout: 9
#include <stdarg.h>
#include <stdio.h>

static int largest(int first, ...)
{
    va_list list;
    va_start(list, first);
    int best = first;
    for (int next = va_arg(list, int); next != -1; next = va_arg(list, int))
        if (next > best)
            best = next;
    va_end(list);
    return best;
}

int main(void)
{
    printf("%d\n", largest(3, 1, 4, -1));
    printf("%d\n", largest(3, 1, 4, 1, 5, 9, 2, 6, -1));
    return 0;
}
