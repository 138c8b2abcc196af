// Pads a column by its width less the text's length, which may be more.
#include <stdio.h>
#include <string.h>

static void pad(char *line, const char *text, int width)
{
    int n = strlen(text);
    memcpy(line, text, n);
    memset(line + n, '.', width - n); // expect: negative-size
    line[n < width ? width : n] = 0;
}

int main(void)
{
    static const char *names[] = { "ls", "cat", "dircolors" };
    char line[64];
    for (int i = 0; i < 3; i++) {
        pad(line, names[i], 6);
        puts(line);
    }
    return 0;
}
