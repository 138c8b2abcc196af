// Symbolic values through variable arguments.
// run: explore --sym-stdin 3
// twin: -DFIXED
// witness: stdin "\x0a\x14\x1e"
#include <assert.h>
#include <stdarg.h>
#include <unistd.h>

static long total(int count, ...)
{
    va_list list;
    long sum = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        sum += i % 2 ? va_arg(list, long) : va_arg(list, int);
    va_end(list);
    return sum;
}

int main(void)
{
    unsigned char in[3];
    if (read(0, in, 3) != 3)
        return 1;
    long sum = total(3, in[0] * 2, (long)in[1], in[2] + 1);
#ifdef FIXED
    assert(sum <= 255 * 4 + 1);
#else
    assert(sum != 71 || in[0] != 10 || in[1] != 20); // expect: assertion-failure
#endif
    return 0;
}
