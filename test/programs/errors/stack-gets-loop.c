// Reads words with a getchar loop that never looks at the size of the word.
// stdin: a few words, then incomprehensibilities\n
#include <ctype.h>
#include <stdio.h>

#define LIMIT 16

static int read_word(char *word)
{
    int c, n = 0;
    while ((c = getchar()) != EOF && isalpha(c))
        word[n++] = c; // expect: stack-buffer-overflow write
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
