// A string table grows while an interned name is kept as an offset.
// stdout: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *pool;
static size_t used, size;

static size_t intern(const char *s)
{
    size_t n = strlen(s) + 1, at = used;
    if (used + n > size) {
        size_t bigger = (size + n) * 2;
        char *fresh = malloc(bigger);
        if (pool)
            memcpy(fresh, pool, used);
        free(pool);
        pool = fresh;
        size = bigger;
    }
    memcpy(pool + at, s, n);
    used += n;
    return at;
}

int main(void)
{
    static const char *words[] = { "while", "do", "register", "continue", "volatile" };
    size_t first = intern("if");
    for (int i = 0; i < 5; i++)
        intern(words[i]);
    printf("%d\n", strcmp(pool + first, "if"));
    free(pool);
    return 0;
}
