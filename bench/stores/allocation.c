// A buffer of a size from the input; the error is behind it and not in it.
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned char in[2];
    if (read(0, in, 2) != 2)
        return 1;
    unsigned size = in[0] + 256u * in[1];
    char *room = calloc(size, 1);
    if (!room)
        return 2;
    assert(size * 3 != 7 * 777);
    free(room);
    return 0;
}
