// Settings, one letter each, in a list: `a=3;b=a;` makes b a copy of a.
#include <stdio.h>
#include <stdlib.h>

struct setting {
    char name;
    int value;
    struct setting *next;
};

static struct setting *find(struct setting *list, char name)
{
    for (; list != NULL; list = list->next)
        if (list->name == name)
            return list;
    return NULL;
}

static int value_of(struct setting *list, char name)
{
    struct setting *found = find(list, name);
    return found->value; // WOULD FAIL
}

static int right_side(struct setting *list, char c, int *value)
{
    if (c >= '0' && c <= '9')
        *value = c - '0';
    else if (c >= 'a' && c <= 'z' && find(list, c) != NULL)
        *value = value_of(list, c);
    else
        return -1;
    return 0;
}

static struct setting *assign(struct setting *list, const char *text)
{
    int value;
    if (text[0] < 'a' || text[0] > 'z' || text[1] != '=' || right_side(list, text[2], &value) < 0)
        return list;
    struct setting *setting = malloc(sizeof *setting);
    if (setting == NULL)
        return list;
    *setting = (struct setting){text[0], value, list};
    return setting;
}

int main(int argc, char **argv)
{
    struct setting *list = NULL;
    if (argc != 2)
        return 2;
    for (const char *text = argv[1]; text[0] && text[1] && text[2]; text += text[3] ? 4 : 3)
        list = assign(list, text);
    while (list != NULL) {
        struct setting *next = list->next;
        printf("%c %d\n", list->name, list->value);
        free(list);
        list = next;
    }
    return 0;
}
