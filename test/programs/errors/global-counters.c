// Counts input bytes per class in a table that misses the last class.
// stdin: Hello, World 42!\n
#include <ctype.h>
#include <stdio.h>

enum class { LETTER, DIGIT, SPACE, OTHER };
static int counters[OTHER];

static enum class classify(int c)
{
    return isalpha(c) ? LETTER : isdigit(c) ? DIGIT : isspace(c) ? SPACE : OTHER;
}

int main(void)
{
    int c;
    while ((c = getchar()) != EOF)
        counters[classify(c)] += 1; // expect: global-buffer-overflow read
    printf("%d letters, %d digits\n", counters[LETTER], counters[DIGIT]);
    return 0;
}
