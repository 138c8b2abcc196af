// Counts input bytes per class.
// stdin: Hello, World 42!\n
// stdout: 10 letters, 2 digits
#include <ctype.h>
#include <stdio.h>

enum class { LETTER, DIGIT, SPACE, OTHER };
static int counters[OTHER + 1];

static enum class classify(int c)
{
    return isalpha(c) ? LETTER : isdigit(c) ? DIGIT : isspace(c) ? SPACE : OTHER;
}

int main(void)
{
    int c;
    while ((c = getchar()) != EOF)
        counters[classify(c)] += 1;
    printf("%d letters, %d digits\n", counters[LETTER], counters[DIGIT]);
    return 0;
}
