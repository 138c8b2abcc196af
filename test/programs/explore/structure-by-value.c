// A structure is copied from a place that the input chooses. The copy is taken apart by the compiler, but its check is that of the whole: an
// input that leaves room for the first member only fails before anything is said of the members.
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin "*!"
#include <stdio.h>
#include <unistd.h>

struct __attribute__((packed)) entry {
    long key;
    short weight;
};

static unsigned char bytes[50] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

int main(void)
{
    unsigned char in[2];
    if (read(0, in, 2) != 2)
        return 1;
#ifdef FIXED
    if (in[0] > 40)
        return 3;
#else
    if (in[0] > 42)
        return 3;
#endif
    struct entry copy = *(const struct entry *)(bytes + in[0]); // expect: global-buffer-overflow
    if (copy.weight == 0x0a09 && in[1] == 7)
        return 4;
    return (int)(copy.key & 0x7f);
}
