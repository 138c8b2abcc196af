// Reading standard input in all ways, to its end.
// stdin: first line\nsecond line\n\nrest of it, without a newline
// stdout: first line
// stdout: sec
// stdout: 131
// stdout: !10
// stdout: 7 rest of
// stdout: 0
// stdout: rest ofine
// stdout:
// stdout: 105 0
// stdout: 0
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char line[80];
    printf("%s", fgets(line, 80, stdin));
    printf("%s\n", fgets(line, 4, stdin));
    int c, n = 0;
    while ((c = getchar()) != EOF && c != '\n')
        n = n * 3 + c;
    printf("%d\n", n % 1000);
    ungetc('!', stdin);
    printf("%c", getc(stdin));
    printf("%d\n", getchar());
    size_t got = fread(line, 1, 7, stdin);
    printf("%zu %.7s\n", got, line);
    printf("%d\n", scanf(" of %79[^\n]", line));
    printf("%s\n", line);
    printf("%d ", getchar());
    printf("%d\n", feof(stdin) != 0);
    printf("%d\n", (int)read(0, line, 10));
    return 0;
}
