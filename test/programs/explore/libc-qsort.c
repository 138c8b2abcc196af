// Three numbers sorted by qsort, by a comparison that looks at seven of their bits.
// run: explore --sym-stdin 3
// twin: -DFIXED
// witness: stdin "\x80\x01\x02"
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static int compare(const void *a, const void *b)
{
    unsigned char x = *(const unsigned char *)a, y = *(const unsigned char *)b;
#ifdef FIXED
    return (x > y) - (x < y);
#else
    return (x & 127) - (y & 127);
#endif
}

int main(void)
{
    unsigned char keys[3];
    if (read(0, keys, 3) != 3)
        return 1;
    qsort(keys, 3, 1, compare);
    assert(keys[0] <= keys[1] && keys[1] <= keys[2]); // expect: assertion-failure
    return 0;
}
