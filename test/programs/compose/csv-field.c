// Adds up one column of a table: the rows are split into fields, a row may have fewer than others. The column is the
// argument, the table is standard input.
#include <stdio.h>
#include <string.h>

enum { FIELDS = 4 };

struct row {
    const char *fields[FIELDS];
    int count;
};

static int number(const struct row *row, int column)
{
    const char *text = row->fields[column];
    int value = 0;
    for (; *text >= '0' && *text <= '9'; text++) // FAILS
        value = value * 10 % 1000 + (*text - '0');
    return value;
}

static void split(struct row *row, char *line)
{
    memset(row, 0, sizeof *row);
    for (char *field = strtok(line, ",\n"); field != NULL && row->count < FIELDS; field = strtok(NULL, ",\n"))
        row->fields[row->count++] = field;
}

static int add(char *line, int column)
{
    struct row row;
    split(&row, line);
    if (row.count == 0 || row.fields[0][0] == '#')
        return 0;
    return number(&row, column);
}

static int total(int column)
{
    char line[20];
    int sum = 0;
    while (fgets(line, sizeof line, stdin) != NULL)
        sum += add(line, column);
    return sum;
}

int main(int argc, char **argv)
{
    if (argc != 2 || argv[1][0] < '0' || argv[1][0] >= '0' + FIELDS)
        return 2;
    printf("%d\n", total(argv[1][0] - '0'));
    return 0;
}
