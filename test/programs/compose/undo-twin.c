// An editor's history. The tests only ever add and show; undo is what nobody tried.
#include <stdio.h>
#include <string.h>

static int history[8];

struct editor {
    int used, value;
};

static int undo(struct editor *editor, int steps)
{
    editor->used -= steps;
    editor->value = history[editor->used]; // WOULD FAIL
    return editor->value;
}

static int add(struct editor *editor, int value)
{
    if (editor->used < 0 || editor->used >= 8)
        return -1;
    history[editor->used++] = editor->value;
    editor->value += value;
    return editor->value;
}

static int command(struct editor *editor, const char *word, int number)
{
    if (strcmp(word, "add") == 0)
        return add(editor, number);
    if (strcmp(word, "bak") == 0) {
        if (number == 0)
            return editor->value;
        if (number > editor->used)
            return -1;
        return undo(editor, number);
    }
    if (strcmp(word, "see") == 0)
        return editor->value;
    return -1;
}

static int line(struct editor *editor, char *text)
{
    size_t length = strlen(text);
    if (length < 5 || text[3] != ' ' || text[4] < '0' || text[4] > '9')
        return -1;
    text[3] = '\0';
    return command(editor, text, text[4] - '0');
}

int main(int argc, char **argv)
{
    struct editor editor = {0, 0};
    for (int i = 1; i < argc; i++)
        printf("%d\n", line(&editor, argv[i]));
    return 0;
}
