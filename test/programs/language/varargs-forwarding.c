// va_list passed on, copied, used twice, and handed to the v-functions of stdio.
// stdout: 37 start-42-2.50-x-1099511627776-end-7-8
// stdout: 1357
// stdout: 3: 12 0.5 tail
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *format(const char *text, ...)
{
    va_list ap, again;
    va_start(ap, text);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, text, ap);
    char *result = malloc(n + 1);
    vsnprintf(result, n + 1, text, again);
    va_end(again);
    va_end(ap);
    return result;
}

static int next(va_list *ap)
{
    return va_arg(*ap, int);
}

static int alternate(int n, ...)
{
    va_list ap;
    int sum = 0;
    va_start(ap, n);
    while (n-- > 0) {
        sum = sum * 10 + next(&ap);
        sum += (int)va_arg(ap, double);
    }
    va_end(ap);
    return sum;
}

static int scan(const char *text, const char *how, ...)
{
    va_list ap;
    va_start(ap, how);
    int n = vsscanf(text, how, ap);
    va_end(ap);
    return n;
}

static void print(const char *text, ...)
{
    va_list ap;
    va_start(ap, text);
    vprintf(text, ap);
    va_end(ap);
}

int main(void)
{
    char *s = format("%s-%d-%.2f-%c-%ld-%s-%u-%d", "start", 42, 2.5, 'x', 1l << 40, "end", 7u, 8);
    printf("%zu %s\n", strlen(s), s);
    free(s);
    printf("%d\n", alternate(4, 1, 0.5, 2, 1.5, 3, 2.5, 4, 3.5));
    int a = 0;
    float b = 0;
    char word[16] = "";
    int n = scan("12 0.5 tail", "%d %f %15s", &a, &b, word);
    print("%d: %d %.1f %s\n", n, a, b, word);
    return 0;
}
