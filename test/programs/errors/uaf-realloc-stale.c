// A parser keeps a pointer into its buffer while the buffer is reallocated.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
    char *data;
    size_t used, size;
};

static void append(struct buffer *b, const char *text)
{
    size_t n = strlen(text);
    if (b->used + n + 1 > b->size) {
        b->size = (b->used + n + 1) * 2;
        b->data = realloc(b->data, b->size);
    }
    memcpy(b->data + b->used, text, n + 1);
    b->used += n;
}

int main(void)
{
    struct buffer b = { malloc(16), 0, 16 };
    append(&b, "key=");
    char *value = b.data + b.used;
    append(&b, "a value that needs much more room than there was at first");
    printf("%c\n", value[0]); // expect: heap-use-after-free read
    free(b.data);
    return 0;
}
