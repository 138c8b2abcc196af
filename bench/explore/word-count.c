// A word counter of some forty branches: 16 bytes of standard input, character by character through stdio. Counts lines,
// words, bytes, numbers, capitalised words, indented and empty lines, the longest line and word, and how nested the brackets are.
#include <ctype.h>
#include <stdio.h>

struct counts {
    int lines, words, bytes, numbers, capitalised, indented, empty, longestLine, longestWord, deepest, unbalanced, control;
};

enum kind { BETWEEN, WORD, NUMBER };

static void end_word(struct counts *counts, enum kind kind, int length)
{
    if (kind == BETWEEN)
        return;
    if (kind == NUMBER)
        counts->numbers++;
    else
        counts->words++;
    if (length > counts->longestWord)
        counts->longestWord = length;
}

static void end_line(struct counts *counts, int column)
{
    counts->lines++;
    if (column == 0)
        counts->empty++;
    if (column > counts->longestLine)
        counts->longestLine = column;
}

static int bracket(struct counts *counts, int c, int depth)
{
    if (c == '(' || c == '[') {
        depth++;
        if (depth > counts->deepest)
            counts->deepest = depth;
    } else if (c == ')' || c == ']') {
        if (depth == 0)
            counts->unbalanced++;
        else
            depth--;
    }
    return depth;
}

int main(void)
{
    struct counts counts = {0};
    enum kind kind = BETWEEN;
    int c, column = 0, length = 0, depth = 0;
    while ((c = getchar()) != EOF) {
        counts.bytes++;
        depth = bracket(&counts, c, depth);
        if (c == '\n') {
            end_word(&counts, kind, length);
            end_line(&counts, column);
            kind = BETWEEN;
            column = 0;
            continue;
        }
        if (isspace(c)) {
            if (column == 0)
                counts.indented++;
            end_word(&counts, kind, length);
            kind = BETWEEN;
            if (c == '\t')
                column += 8 - column % 8;
            else
                column++;
            continue;
        }
        if (iscntrl(c)) {
            counts.control++;
            continue;
        }
        if (kind == BETWEEN) {
            length = 0;
            if (isdigit(c))
                kind = NUMBER;
            else {
                kind = WORD;
                if (isupper(c))
                    counts.capitalised++;
            }
        } else if (kind == NUMBER && !isdigit(c) && c != '.')
            kind = WORD;
        length++;
        column++;
    }
    end_word(&counts, kind, length);
    if (column > 0)
        end_line(&counts, column);
    if (depth > 0)
        counts.unbalanced += depth;
    printf("%d %d %d\n", counts.lines, counts.words, counts.bytes);
    if (counts.numbers > 0)
        printf("%d numbers\n", counts.numbers);
    if (counts.capitalised > 0)
        printf("%d capitalised\n", counts.capitalised);
    if (counts.indented > 0 || counts.empty > 0)
        printf("%d indented, %d empty\n", counts.indented, counts.empty);
    if (counts.deepest > 1)
        printf("nested %d deep\n", counts.deepest);
    if (counts.unbalanced > 0)
        printf("%d unbalanced\n", counts.unbalanced);
    if (counts.control > 0)
        printf("%d control characters\n", counts.control);
    printf("longest line %d, longest word %d\n", counts.longestLine, counts.longestWord);
    return counts.unbalanced > 0;
}
