// The number of bytes to copy was never set.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
struct message { unsigned char length; char text[40]; };
int main(void) {
    struct message *m = malloc(sizeof *m);
    char out[64];
    memset(m->text, 'x', sizeof m->text);
    SET(m->length = 12;)
    memcpy(out, m->text, m->length & 31); // use
    free(m);
    return 0;
}
