// Grows a packet through a pointer to its payload.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct packet {
    int kind, length;
    char payload[];
};

int main(void)
{
    struct packet *p = malloc(sizeof *p + 8);
    p->kind = 3;
    p->length = 8;
    memcpy(p->payload, "8 bytes.", 8);
    char *payload = p->payload;
    payload = realloc(payload, 32); // expect: invalid-free
    memset(payload + 8, '-', 24);
    printf("%.32s\n", payload);
    return 0;
}
