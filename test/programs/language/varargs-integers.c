// Variable arguments of every integer width, more of them than there are argument registers.
// stdout: 0
// stdout: 6
// stdout: -6
// stdout: 3c17cad64ff
// stdout: 3041fc5d38b5c
// stdout: -1 -2 -3 44 4464 4 5 0x1234
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

static long sum(int count, ...)
{
    va_list ap;
    long total = 0;
    va_start(ap, count);
    for (int i = 0; i < count; i++)
        total += va_arg(ap, int);
    va_end(ap);
    return total;
}

static uint64_t mix(const char *types, ...)
{
    va_list ap;
    uint64_t h = 1;
    va_start(ap, types);
    for (; *types; types++)
        switch (*types) {
        case 'c': h = h * 31 + (unsigned char)va_arg(ap, int); break;
        case 's': h = h * 31 + (uint16_t)va_arg(ap, int); break;
        case 'i': h = h * 31 + va_arg(ap, unsigned); break;
        case 'l': h = h * 31 + va_arg(ap, unsigned long); break;
        case 'p': h = h * 31 + *va_arg(ap, int *); break;
        }
    va_end(ap);
    return h;
}

int main(void)
{
    int cell = 99;
    printf("%ld\n", sum(0));
    printf("%ld\n", sum(3, 1, 2, 3));
    printf("%ld\n", sum(12, 1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12));
    printf("%llx\n", (unsigned long long)mix("csilp", 'x', (short)-3, -7, -9l, &cell));
    printf("%llx\n", (unsigned long long)mix("llllllllll", 1l, 2l, 3l, 4l, 5l, 6l, 7l, 8l, 9l, 1l << 40));
    printf("%d %ld %lld %hhd %hd %u %x %p\n", -1, -2l, -3ll, 300, 70000, 4u, 5u, (void *)0x1234);
    return 0;
}
