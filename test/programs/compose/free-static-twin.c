// Prints fields; an empty one has a word of the program's own instead, which nobody may free. The first letter of the
// argument is + or -: whether words are to be given back at once.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char none[] = "none";

struct word {
    char *text;
    int length, is_ours;
};

static void forget(struct word *word)
{
    if (word->is_ours)
        free(word->text); // WOULD FAIL
    word->text = NULL;
}

static int keep(struct word *word, const char *text, size_t length, char mark)
{
    word->length = (int)length;
    word->is_ours = 1;
    if (length == 0) {
        word->text = none;
        if (mark == '-')
            word->is_ours = 0;
        return 0;
    }
    word->text = malloc(length + 1);
    if (word->text == NULL)
        return -1;
    memcpy(word->text, text, length);
    word->text[length] = '\0';
    return 0;
}

static int one(const char *text, size_t length, char mark)
{
    struct word word;
    if (keep(&word, text, length, mark) < 0)
        return -1;
    printf("<%s>\n", word.text);
    if (word.length == 0)
        word.is_ours = 0;
    forget(&word);
    return word.length;
}

static int each(const char *text, char mark)
{
    int total = 0;
    for (;;) {
        size_t length = strcspn(text, ",");
        total += one(text, length, mark);
        if (text[length] == '\0')
            return total;
        text += length + 1;
    }
}

int main(int argc, char **argv)
{
    if (argc != 2 || (argv[1][0] != '-' && argv[1][0] != '+'))
        return 2;
    printf("%d\n", each(argv[1] + 1, argv[1][0]));
    return 0;
}
