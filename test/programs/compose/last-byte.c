// Fills lines up to a width, from standard input: a digit (the width in eights) and a text. The line's end is its bug.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
    char *text;
    size_t width, used;
};

static void finish(struct line *line, char fill)
{
    while (line->used < line->width)
        line->text[line->used++] = fill;
    line->text[line->used] = '\0'; // FAILS
}

static void put(struct line *line, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (line->used == line->width)
            return;
        line->text[line->used++] = text[i] == '\t' ? ' ' : text[i];
    }
}

static void fill(struct line *line, const char *text, char style)
{
    size_t length = strcspn(text, "\n");
    put(line, text, length);
    switch (style) {
    case 'l': finish(line, '.'); break;
    case 'r': finish(line, '_'); break;
    default: break;
    }
}

int main(void)
{
    char text[32];
    if (fgets(text, sizeof text, stdin) == NULL || strlen(text) < 3)
        return 1;
    if (text[0] < '1' || text[0] > '3')
        return 1;
    size_t width = (size_t)(text[0] - '0') * 8;
    int spare = text[1] == 'l';
    struct line line = {calloc(width + (size_t)spare, 1), width, 0};
    if (line.text == NULL)
        return 1;
    fill(&line, text + 2, text[1]);
    printf("%.*s\n", (int)line.used, line.text);
    free(line.text);
    return 0;
}
