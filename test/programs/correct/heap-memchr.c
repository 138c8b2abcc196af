// Looks for a separator in what is left of the packet.
// stdout: id:7
// stdout: 1 fields
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    size_t size = 24;
    char *packet = malloc(size);
    memset(packet, 'x', size);
    memcpy(packet, "id:7;", 5);
    char *at = packet, *end;
    int fields = 0;
    while ((end = memchr(at, ';', packet + size - at)) != NULL) {
        printf("%.*s\n", (int)(end - at), at);
        at = end + 1;
        fields++;
    }
    printf("%d fields\n", fields);
    free(packet);
    return 0;
}
