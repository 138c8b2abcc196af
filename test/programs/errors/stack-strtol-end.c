// A list parser skips the separator behind the last number, and with it the terminating zero.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long sum(const char *list)
{
    long total = 0;
    char copy[12], *p = copy;
    memcpy(copy, list, sizeof copy);
    while (*p) { // expect: stack-buffer-overflow read
        total += strtol(p, &p, 10);
        p++;
    }
    return total;
}

int main(void)
{
    char list[12] = "10,20,30,40";
    printf("%ld\n", sum(list));
    return 0;
}
