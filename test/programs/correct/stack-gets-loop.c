// Reads words with a getchar loop that cuts long words.
// stdin: a few words, then incomprehensibilities\n
// stdout: a
// stdout: few
// stdout: words
// stdout: then
// stdout: incomprehensibi
// exit: 5
#include <ctype.h>
#include <stdio.h>

#define LIMIT 16

static int read_word(char *word)
{
    int c, n = 0;
    while ((c = getchar()) != EOF && isalpha(c))
        if (n < LIMIT - 1)
            word[n++] = c;
    word[n] = 0;
    return n || c != EOF;
}

int main(void)
{
    char word[LIMIT];
    int words = 0;
    while (read_word(word))
        if (word[0]) {
            printf("%s\n", word);
            words++;
        }
    return words;
}
