// A calculator divides the smallest int by -1.
// args: -2147483648 -1
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static int divide(int a, int b, int *quotient)
{
    if (b == 0)
        return 0;
    *quotient = a / b; // expect: division-overflow
    return 1;
}

int main(int argc, char **argv)
{
    int q;
    if (argc != 3)
        return 2;
    if (divide(atoi(argv[1]), atoi(argv[2]), &q))
        printf("%d\n", q);
    else
        printf("undefined\n");
    return 0;
}
