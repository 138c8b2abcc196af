// Cuts a piece out of a line: `cut 2 5 TEXT`. Positions are numbers, and numbers have signs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct piece {
    int from, to;
};

static int number(const char *text)
{
    int sign = 1, value = 0;
    if (*text == '-') {
        sign = -1;
        text++;
    }
    while (*text >= '0' && *text <= '9' && value < 100)
        value = value * 10 + (*text++ - '0');
    return sign * value;
}

static int take(char *into, const char *text, struct piece piece)
{
    int length = piece.to - piece.from;
    memcpy(into, text + piece.from, length); // FAILS
    into[length] = '\0';
    return length;
}

static int cut(const char *text, struct piece piece)
{
    char into[32];
    int size = (int)strlen(text);
    if (piece.to > size)
        piece.to = size;
    if (piece.from < 0 || piece.to - piece.from > 31)
        return -1;
    int length = take(into, text, piece);
    printf("%s\n", into);
    return length;
}

int main(int argc, char **argv)
{
    struct piece piece;
    if (argc != 4)
        return 2;
    piece.from = number(argv[1]);
    piece.to = number(argv[2]);
    if (piece.from > 30)
        return 1;
    return cut(argv[3], piece) < 0;
}
