// Parses "name value" pairs with a bounded %s.
// stdout: 2 alpha 1
// stdout: 2 beta 22
// stdout: 1 a-very-long 0
// stdout: 23
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static const char *lines[] = { "alpha 1", "beta 22", "a-very-long-identifier 3" };
    char *name = malloc(12);
    int total = 0;
    for (int i = 0; i < 3; i++) {
        int value = 0;
        int n = sscanf(lines[i], "%11s %d", name, &value);
        printf("%d %s %d\n", n, name, value);
        total += value;
    }
    printf("%d\n", total);
    free(name);
    return 0;
}
