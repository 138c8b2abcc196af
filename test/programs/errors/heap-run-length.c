// A run-length decoder doubles its buffer once where a long run needs more.
#include <stdio.h>
#include <stdlib.h>

struct out {
    char *data;
    int used, size;
};

static void emit(struct out *o, char c, int times)
{
    if (o->used + times > o->size) {
        o->size *= 2;
        o->data = realloc(o->data, o->size);
    }
    for (int i = 0; i < times; i++)
        o->data[o->used++] = c; // expect: heap-buffer-overflow write
}

int main(void)
{
    const char *packed = "3a:c2b9d";
    struct out o = { malloc(4), 0, 4 };
    for (const char *p = packed; *p; p += 2)
        emit(&o, p[1], p[0] - '0');
    printf("%.*s\n", o.used, o.data);
    free(o.data);
    return 0;
}
