// Functions are called through pointers of all shapes while UBSan's checks are on: none of them looks at a function's bytes.
// options: --ubsan all
// stdout: 7 12 -3
// stdout: called with 5
// stdout: 1 2 3
#include <stdio.h>
#include <stdlib.h>

typedef int (*operation)(int, int);

static int add(int a, int b)
{
    return a + b;
}

static int multiply(int a, int b)
{
    return a * b;
}

static void say(int value)
{
    printf("called with %d\n", value);
}

static int ascending(const void *left, const void *right)
{
    return *(const int *)left - *(const int *)right;
}

static operation chosen(int kind)
{
    static const operation table[] = {add, multiply};
    return table[kind];
}

int main(void)
{
    int numbers[] = {3, 1, 2};
    void (*volatile callback)(int) = say;
    printf("%d %d %d\n", chosen(0)(3, 4), chosen(1)(3, 4), chosen(0)(-1, -2));
    callback(5);
    qsort(numbers, 3, sizeof *numbers, ascending);
    printf("%d %d %d\n", numbers[0], numbers[1], numbers[2]);
    return 0;
}
