// An echo service answers with as many bytes as the request claims to have.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
    unsigned short claimed;
    size_t received;
    char *bytes;
};

static size_t echo(const struct request *r, char *answer)
{
    memcpy(answer, r->bytes, r->claimed); // expect: heap-buffer-overflow read
    return r->claimed;
}

int main(void)
{
    char answer[128];
    struct request r = { 100, 5, malloc(5) };
    memcpy(r.bytes, "hello", 5);
    size_t n = echo(&r, answer);
    printf("%zu %.*s\n", n, (int)n, answer);
    free(r.bytes);
    return 0;
}
