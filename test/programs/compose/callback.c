// Goes through words of standard input with a function that the first letter chooses: c counts, h makes a histogram of
// the words' lengths.
#include <stdio.h>
#include <string.h>

struct totals {
    int words, letters;
};

typedef void visitor(struct totals *totals, const char *word, int length);

static int histogram[6];

static void count(struct totals *totals, const char *word, int length)
{
    totals->words++;
    totals->letters += word[0] == '.' ? 0 : length;
}

static void measure(struct totals *totals, const char *word, int length)
{
    totals->words++;
    if (word[0] == '#')
        return;
    histogram[length]++; // FAILS
}

static int each_word(const char *text, struct totals *totals, visitor *visit)
{
    int found = 0;
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        if (length > 0 && length < 12) {
            visit(totals, text, length);
            found++;
        }
        text += length;
        text += *text == ' ';
    }
    return found;
}

int main(void)
{
    char line[24];
    struct totals totals = {0, 0};
    if (fgets(line, sizeof line, stdin) == NULL)
        return 1;
    line[strcspn(line, "\n")] = '\0';
    switch (line[0]) {
    case 'c': each_word(line + 1, &totals, count); break;
    case 'h': each_word(line + 1, &totals, measure); break;
    default: return 1;
    }
    printf("%d words, %d letters", totals.words, totals.letters);
    for (int i = 1; i < 6; i++)
        printf(" %d", histogram[i]);
    printf("\n");
    return 0;
}
