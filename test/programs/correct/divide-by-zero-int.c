// Averages the words of a line that has some.
// args: "" "two words"
// stdout: 0
// stdout: 4
#include <stdio.h>
#include <string.h>

static int average_length(const char *line)
{
    int letters = 0, words = 0;
    for (const char *p = line; *p;) {
        size_t n = strcspn(p, " ");
        letters += n;
        words += n > 0;
        p += n + (p[n] == ' ');
    }
    return words ? letters / words : 0;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        printf("%d\n", average_length(argv[i]));
    return 0;
}
