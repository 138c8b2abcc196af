// How many bytes are compared comes from the input; the first one differs whatever it is.
// run: explore --sym-stdin 1
// twin: -DFIXED
// witness: stdin "\x40"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[256] = "a text that begins otherwise";

int main(void)
{
    char *record = malloc(32);
    unsigned size = (unsigned char)getchar();
    if (record == NULL)
        return 1;
    memset(record, 'r', 32);
#ifdef FIXED
    size &= 31;
#endif
    int differs = memcmp(text, record, size); // expect: heap-buffer-overflow read
    free(record);
    return differs == 1000;
}
