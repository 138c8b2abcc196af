// An editor's line buffer makes a gap for a character without growing first.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
    char *text;
    size_t used, capacity;
};

static void insert(struct line *l, size_t at, char c)
{
    if (l->used > l->capacity) {
        l->capacity *= 2;
        l->text = realloc(l->text, l->capacity);
    }
    memmove(l->text + at + 1, l->text + at, l->used - at); // expect: heap-buffer-overflow write
    l->text[at] = c;
    l->used++;
}

int main(void)
{
    struct line l = { malloc(4), 0, 4 };
    const char *word = "reversed";
    for (const char *p = word; *p; p++)
        insert(&l, 0, *p);
    printf("%.*s\n", (int)l.used, l.text);
    free(l.text);
    return 0;
}
