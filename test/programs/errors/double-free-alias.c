// Two names for one buffer, and both are released.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct document {
    char *title;
    char *short_title;
};

static void set_title(struct document *d, const char *title)
{
    d->title = strdup(title);
    if (strlen(title) < 10)
        d->short_title = d->title;
    else
        d->short_title = strndup(title, 10);
}

static void release(struct document *d)
{
    free(d->title);
    free(d->short_title); // expect: double-free
}

int main(void)
{
    struct document a, b;
    set_title(&a, "a rather long title");
    set_title(&b, "short");
    printf("%s, %s\n", a.short_title, b.short_title);
    release(&a);
    release(&b);
    return 0;
}
