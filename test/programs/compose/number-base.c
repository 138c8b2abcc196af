// Shows how wide numbers are in a base: a field `#4` sets it for the fields after it. Six calls lead from main to the
// division.
#include <stdio.h>

struct output {
    int base, column;
};

static int digits_of(int value, int base)
{
    int count = 1;
    while (value >= 10 && count < 12) {
        value /= base; // FAILS
        count++;
    }
    return count;
}

static int width(const struct output *out, int value)
{
    int digits = digits_of(value, out->base);
    return digits + (digits > 3);
}

static void show(struct output *out, int value)
{
    int columns = width(out, value);
    out->column += columns;
    printf("[%d:%d]", value, columns);
}

static void field(struct output *out, const char *text, int length)
{
    int value = 0;
    if (length > 1 && text[0] == '#') {
        if (text[1] >= '0' && text[1] <= '9' && text[1] != '1')
            out->base = text[1] - '0';
        return;
    }
    for (int i = 0; i < length && i < 6; i++) {
        if (text[i] < '0' || text[i] > '9')
            return;
        value = value * 10 + text[i] - '0';
    }
    show(out, value);
}

static void row(struct output *out, const char *text)
{
    while (*text != '\0') {
        int length = 0;
        while (text[length] != '\0' && text[length] != ',')
            length++;
        field(out, text, length);
        text += text[length] == ',' ? length + 1 : length;
    }
    printf("\n");
}

static int table(char **rows, int count)
{
    struct output out = {10, 0};
    for (int i = 0; i < count; i++)
        row(&out, rows[i]);
    return out.column;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("%d columns\n", table(argv + 1, argc - 1));
    return 0;
}
