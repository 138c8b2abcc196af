// How deep brackets nest: the reader calls itself for each, and notes the kind of every open one in a table.
#include <stdio.h>

static char open_kinds[4];
static const char *at;

static void note(int depth, char kind)
{
    open_kinds[depth] = kind; // FAILS
}

static char closing(char kind)
{
    return kind == '(' ? ')' : kind == '[' ? ']' : '}';
}

static int bracket(int depth)
{
    int deepest = depth;
    while (*at == '(' || *at == '[' || *at == '{') {
        char kind = *at++;
        note(depth, kind);
        int inner = bracket(depth + 1);
        if (inner < 0 || *at != closing(kind))
            return -1;
        at++;
        if (inner > deepest)
            deepest = inner;
    }
    return deepest;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    at = argv[1];
    int deepest = bracket(0);
    if (deepest < 0 || *at != '\0') {
        printf("unbalanced\n");
        return 1;
    }
    printf("%d deep\n", deepest);
    return 0;
}
