// Pads a column if the text is shorter than it.
// stdout: ls....
// stdout: cat...
// stdout: dircolors
#include <stdio.h>
#include <string.h>

static void pad(char *line, const char *text, int width)
{
    int n = strlen(text);
    memcpy(line, text, n);
    if (n < width)
        memset(line + n, '.', width - n);
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
