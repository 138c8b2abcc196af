// An echo service answers with as many bytes as the request has.
// stdout: 5 hello
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
    size_t n = r->claimed < r->received ? r->claimed : r->received;
    memcpy(answer, r->bytes, n);
    return n;
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
