// Grows a packet through the pointer that was allocated.
// stdout: 8 bytes.------------------------
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
    p = realloc(p, sizeof *p + 32);
    memset(p->payload + 8, '-', 24);
    printf("%.32s\n", p->payload);
    free(p);
    return 0;
}
