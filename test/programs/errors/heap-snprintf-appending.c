// Appends fields with snprintf, passing the whole size again instead of what is left.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static const struct { const char *key; int value; } fields[] = {
        { "width", 640 }, { "height", 480 }, { "depth", 24 },
    };
    size_t size = 24, used = 0;
    char *text = malloc(size);
    for (int i = 0; i < 3; i++) {
        used += snprintf(text + used, size, "%s=%d;", fields[i].key, fields[i].value); // expect: heap-buffer-overflow write
    }
    puts(text);
    free(text);
    return 0;
}
