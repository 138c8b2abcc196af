// A variable argument was never set.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
static int total(int count, ...) {
    va_list list;
    int sum = 0;
    va_start(list, count);
    while (count--) sum += va_arg(list, int);
    va_end(list);
    return sum;
}
int main(int argc, char **argv) {
    int x;
    (void)argv;
    if (argc > 4) x = 1;
    SET(else x = 2;)
    if (total(2, 3, 4) != 7) return 1;
    if (total(3, 1, x, 1) == 4) puts("four"); // use
    return 0;
}
