// A setting's default value is a static array, and replacing it frees the array.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
    const char *key;
    char *value;
};

static char editor[] = "vi", pager[] = "more";
static struct setting settings[] = { { "editor", editor }, { "pager", pager } };

static void set(struct setting *s, const char *value)
{
    free(s->value); // expect: invalid-free
    s->value = strdup(value);
}

int main(void)
{
    set(&settings[0], "ed");
    printf("%s=%s\n", settings[0].key, settings[0].value);
    free(settings[0].value);
    return 0;
}
