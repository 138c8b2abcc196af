// Parses "name value" pairs with an unbounded %s.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static const char *lines[] = { "alpha 1", "beta 22", "a-very-long-identifier 3" };
    char *name = malloc(12);
    int total = 0;
    for (int i = 0; i < 3; i++) {
        int value = 0;
        int n = sscanf(lines[i], "%s %d", name, &value); // expect: heap-buffer-overflow write
        printf("%d %s %d\n", n, name, value);
        total += value;
    }
    printf("%d\n", total);
    free(name);
    return 0;
}
