// Unpacks runs: 3a2b is aaabb. Lines have sixteen columns, and a run is not cut.
#include <stdio.h>

struct row {
    char *cells;
    int used;
};

static void repeat(struct row *row, char letter, int times)
{
    for (int i = 0; i < times; i++)
        row->cells[row->used + i] = letter; // FAILS
    row->used += times;
}

static const char *one(struct row *row, const char *text)
{
    int times = 1;
    if (*text >= '0' && *text <= '9')
        times = *text++ - '0';
    if (*text == '\0' || *text == '\n')
        return NULL;
    repeat(row, *text, times);
    return text + 1;
}

static int unpack(const char *text, int is_quiet)
{
    char cells[16];
    struct row row = {cells, 0};
    while (text != NULL && *text != '\0' && row.used < 16)
        text = one(&row, text);
    if (!is_quiet)
        printf("%.*s\n", row.used, cells);
    return row.used;
}

int main(void)
{
    char line[16];
    int total = 0;
    while (fgets(line, sizeof line, stdin) != NULL)
        total += unpack(line[0] == '-' ? line + 1 : line, line[0] == '-');
    printf("%d\n", total);
    return 0;
}
