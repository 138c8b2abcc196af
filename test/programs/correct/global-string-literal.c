// Prints fixed columns of keywords, padding the short ones.
// stdout: select|from  |
#include <stdio.h>

static void column(const char *text, int width)
{
    for (int i = 0; i < width; i++)
        putchar(*text ? *text++ : ' ');
    putchar('|');
}

int main(void)
{
    column("select", 6);
    column("from", 6);
    putchar('\n');
    return 0;
}
