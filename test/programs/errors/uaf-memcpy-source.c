// A queue hands out a payload, frees it with its entry, and the caller copies it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    char payload[40];
};

static struct entry *queue;

static void put(const char *text)
{
    struct entry *e = calloc(1, sizeof *e);
    strncpy(e->payload, text, sizeof e->payload - 1);
    e->next = queue;
    queue = e;
}

static const char *take(void)
{
    struct entry *e = queue;
    queue = e->next;
    free(e);
    return e->payload;
}

int main(void)
{
    char text[40];
    put("first");
    put("second");
    memcpy(text, take(), sizeof text); // expect: heap-use-after-free read
    puts(text);
    free(queue);
    return 0;
}
