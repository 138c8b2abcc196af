// A scrolling log copies its kept tail over its beginning with memcpy.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct log {
    char *text;
    size_t used, size;
};

static void add(struct log *l, const char *line)
{
    size_t n = strlen(line);
    if (l->used + n > l->size) {
        size_t drop = l->used + n - l->size;
        memcpy(l->text, l->text + drop, l->used - drop); // expect: memcpy-overlap
        l->used -= drop;
    }
    memcpy(l->text + l->used, line, n);
    l->used += n;
}

int main(void)
{
    struct log l = { malloc(32), 0, 32 };
    for (int i = 0; i < 6; i++)
        add(&l, "entry;");
    printf("%.*s\n", (int)l.used, l.text);
    free(l.text);
    return 0;
}
