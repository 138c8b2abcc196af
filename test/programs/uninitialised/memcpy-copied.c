// Bytes are copied twice before they are looked at.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
int main(void) {
    unsigned char a[64], b[64], c[64];
    for (int i = 0; i < 64; i++)
        if (i != 37) a[i] = (unsigned char)i;
    SET(a[37] = 37;)
    memcpy(b, a, sizeof b);
    memmove(c, b, sizeof c);
    if (c[36] != 36 || c[38] != 38) return 1;
    if (c[37] == 37) puts("equal"); // use
    return 0;
}
