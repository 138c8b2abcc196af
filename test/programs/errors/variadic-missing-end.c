// A list of numbers should end with -1; the call forgets it, after more arguments than there are registers.
// native: none (the function reads on in its caller's frame)
#include <stdarg.h>
#include <stdio.h>

static int largest(int first, ...)
{
    va_list list;
    va_start(list, first);
    int best = first;
    for (int next = va_arg(list, int); next != -1; next = va_arg(list, int)) // expect: missing-argument
        if (next > best)
            best = next;
    va_end(list);
    return best;
}

int main(void)
{
    printf("%d\n", largest(3, 1, 4, -1));
    printf("%d\n", largest(3, 1, 4, 1, 5, 9, 2, 6));
    return 0;
}
