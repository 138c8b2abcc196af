// Puts values into a template: {n} is a name, {c} a count. Whoever forgets the closing brace is not told.
#include <stdio.h>
#include <string.h>

struct values {
    const char *name;
    int count;
};

static int name_length(const char *open)
{
    const char *close = open + 1;
    while (*close != '}' && *close != '\0')
        close++;
    if (*close == '\0')
        close = NULL;
    return *close == '}' ? (int)(close - open) - 1 : 0; // FAILS
}

static const char *value(const struct values *values, char letter, char *room)
{
    if (letter == 'n')
        return values->name;
    sprintf(room, "%d", values->count);
    return room;
}

static const char *insert(const struct values *values, const char *open)
{
    char room[12];
    int length = name_length(open);
    if (length == 1 && (open[1] == 'n' || open[1] == 'c'))
        printf("%s", value(values, open[1], room));
    return open + length + 2;
}

static void expand(const struct values *values, const char *text)
{
    while (*text != '\0') {
        if (*text == '{' && text[1] == '{') {
            putchar(*text);
            text += 2;
        } else if (*text == '{') {
            text = insert(values, text);
        } else {
            putchar(*text++);
        }
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    struct values values = {"world", argc};
    if (argc != 2 || strlen(argv[1]) > 40)
        return 2;
    expand(&values, argv[1]);
    return 0;
}
