// A fixed-width record keeps a name of exactly its width, which strlen then runs past.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 8 };

static char *record(const char *name)
{
    char *field = malloc(WIDTH);
    strncpy(field, name, WIDTH);
    return field;
}

int main(void)
{
    static const char *names[] = { "ada", "grace", "margaret" };
    for (int i = 0; i < 3; i++) {
        char *field = record(names[i]);
        printf("%zu\n", strlen(field)); // expect: heap-buffer-overflow read
        free(field);
    }
    return 0;
}
