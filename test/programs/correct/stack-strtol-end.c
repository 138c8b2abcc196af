// A list parser skips the separators between numbers.
// stdout: 100
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long sum(const char *list)
{
    long total = 0;
    char copy[12], *p = copy;
    memcpy(copy, list, sizeof copy);
    while (*p) {
        total += strtol(p, &p, 10);
        if (*p == ',')
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
