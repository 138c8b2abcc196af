// Prints fixed columns of keywords, reading past the end of the short ones.
#include <stdio.h>

static void column(const char *text, int width)
{
    for (int i = 0; i < width; i++)
        putchar(text[i] ? text[i] : ' '); // expect: global-buffer-overflow read
    putchar('|');
}

int main(void)
{
    column("select", 6);
    column("from", 6);
    putchar('\n');
    return 0;
}
