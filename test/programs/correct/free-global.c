// A setting's default value is a copy, and replacing it frees the copy.
// stdout: editor=ed
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
    const char *key;
    char *value;
};

static struct setting settings[] = { { "editor", NULL }, { "pager", NULL } };

static void set(struct setting *s, const char *value)
{
    free(s->value);
    s->value = strdup(value);
}

int main(void)
{
    set(&settings[0], "vi");
    set(&settings[0], "ed");
    printf("%s=%s\n", settings[0].key, settings[0].value);
    free(settings[0].value);
    return 0;
}
