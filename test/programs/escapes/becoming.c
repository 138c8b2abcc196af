/* Becomes itself again and again, with as many words as it can name: the same one thousands of times. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **words) {
    enum { WORDS = 60000, LENGTH = 100000 };
    char *word = malloc(LENGTH + 1);
    char **next = malloc((WORDS + 1) * sizeof *next);
    if (word == NULL || next == NULL) return 1;
    memset(word, 'x', LENGTH);
    word[LENGTH] = 0;
    for (int shown = WORDS; shown > 0; shown /= 2) {
        for (int i = 0; i < shown; i++) next[i] = word;
        next[shown] = NULL;
        execv(words[0], next);
        execv("/proc/self/exe", next);
    }
    return count;
}
