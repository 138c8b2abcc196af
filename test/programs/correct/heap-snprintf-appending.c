// Appends fields with snprintf, passing what is left.
// stdout: width=640;height=480;de
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
        int n = snprintf(text + used, size - used, "%s=%d;", fields[i].key, fields[i].value);
        if (n < 0 || (size_t)n >= size - used)
            break;
        used += n;
    }
    puts(text);
    free(text);
    return 0;
}
