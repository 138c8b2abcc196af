// The error path of a parser forgets the record it had begun.
// options: --leaks
// args: a=1 b c=3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    char *key;
    int value;
};

static struct pair *parse(const char *text)
{
    struct pair *p = malloc(sizeof *p); // expect: memory-leak
    const char *equals = strchr(text, '=');
    if (!equals)
        return NULL;
    p->key = strndup(text, equals - text);
    p->value = atoi(equals + 1);
    return p;
}

int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 1; i < argc; i++) {
        struct pair *p = parse(argv[i]);
        if (!p)
            continue;
        sum += p->value;
        free(p->key);
        free(p);
    }
    printf("%d\n", sum);
    return 0;
}
