// Handles a direction that is none of four.
// options: --ubsan all
// stdout: 1
#include <stdio.h>

static int dx(char direction)
{
    switch (direction) {
    case 'n': case 's': return 0;
    case 'e': return 1;
    case 'w': return -1;
    default:
        return 0;
    }
}

int main(void)
{
    int x = 0;
    for (const char *p = "neewns?"; *p; p++)
        x += dx(*p);
    printf("%d\n", x);
    return 0;
}
