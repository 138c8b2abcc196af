// Makes a path plain: a/./b/../c is a/c. Parts lie on a stack; `..` takes one off.
#include <stdio.h>
#include <string.h>

struct part {
    const char *text;
    int length;
};

static struct part parts[6];

static const char *drop(int depth, int *left)
{
    const char *text = parts[depth - 1].text; // FAILS
    *left = depth - 1;
    return text;
}

static int put(int depth, const char *text, int length)
{
    if (depth == 6)
        return -1;
    parts[depth] = (struct part){text, length};
    return depth + 1;
}

static int part(int depth, const char *text, int length, int is_absolute)
{
    if (length == 0 || (length == 1 && text[0] == '.'))
        return depth;
    if (length == 2 && text[0] == '.' && text[1] == '.') {
        if (is_absolute && depth == 0)
            return 0;
        drop(depth, &depth);
        return depth;
    }
    return put(depth, text, length);
}

static int plain(const char *path)
{
    int depth = 0;
    const char *at = path;
    while (*at != '\0') {
        int length = (int)strcspn(at, "/");
        depth = part(depth, at, length, path[0] == '/');
        if (depth < 0)
            return -1;
        at += at[length] == '/' ? length + 1 : length;
    }
    for (int i = 0; i < depth; i++)
        printf("%s%.*s", i > 0 || path[0] == '/' ? "/" : "", parts[i].length, parts[i].text);
    printf("\n");
    return depth;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    return plain(argv[1]) < 0;
}
