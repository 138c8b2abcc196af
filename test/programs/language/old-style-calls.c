// K&R definitions, unprototyped declarations, and calls whose arguments do not match the callee's parameters.
// native: not checked by sanitizers of function types
// stdout: 5
// stdout: 93
// stdout: 10
// stdout: 21
// stdout: 78
// stdout: 11
// stdout: called with 5
// stdout: 12
#include <stdio.h>

int old_add();
int takes_none();
long widen();
double scale();

typedef int generic_function();

int old_add(a, b)
    int a, b;
{
    return a + b;
}

int takes_none()
{
    return 11;
}

long widen(c, s, f)
    char c;
    short s;
    float f;
{
    return c + s + (long)(f * 2);
}

double scale(x, n)
    double x;
    int n;
{
    return x * n;
}

static int uses_first(int a) { return a * 3; }
static int uses_two(int a, int b) { return a * 10 + b; }
static void no_result(int a) { printf("called with %d\n", a); }

int main(void)
{
    printf("%d\n", old_add(2, 3));
    printf("%ld\n", widen('a', (short)-7, 1.5f));
    printf("%g\n", scale(2.5, 4));
    generic_function *table[] = { (generic_function *)uses_first, (generic_function *)uses_two, takes_none };
    printf("%d\n", table[0](7, 8, 9));
    printf("%d\n", table[1](7, 8, 9));
    printf("%d\n", table[2](1, 2));
    int (*as_int)(int, int) = (int (*)(int, int))no_result;
    as_int(5, 6);
    int (*one_more)(int, long) = (int (*)(int, long))uses_first;
    printf("%d\n", one_more(4, 1l << 40));
    return 0;
}
