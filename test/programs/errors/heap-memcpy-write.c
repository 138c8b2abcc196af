// A message decoder believes the length in the header more than the size of its buffer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct message {
    unsigned char length;
    const char *payload;
};

static int decode(const unsigned char *wire, struct message *m, char *buffer, size_t size)
{
    m->length = wire[0];
    (void)size;
    memcpy(buffer, wire + 1, m->length); // expect: heap-buffer-overflow write
    buffer[m->length] = 0;
    m->payload = buffer;
    return 0;
}

int main(void)
{
    static const unsigned char wires[][32] = { "\005hello", "\024twenty bytes of text" };
    char *buffer = malloc(16);
    for (int i = 0; i < 2; i++) {
        struct message m;
        if (decode(wires[i], &m, buffer, 16) == 0)
            printf("%d %s\n", m.length, m.payload);
        else
            printf("too long\n");
    }
    free(buffer);
    return 0;
}
