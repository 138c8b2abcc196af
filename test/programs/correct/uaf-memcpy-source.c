// A queue hands out a payload that the caller frees.
// stdout: second
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

static struct entry *take(void)
{
    struct entry *e = queue;
    queue = e->next;
    return e;
}

int main(void)
{
    char text[40];
    put("first");
    put("second");
    struct entry *e = take();
    memcpy(text, e->payload, sizeof text);
    free(e);
    puts(text);
    free(queue);
    return 0;
}
