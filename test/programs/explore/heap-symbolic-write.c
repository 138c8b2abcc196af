// A histogram whose bucket is computed from the input, one too few allocated.
// run: explore --sym-stdin 1
// twin: -DFIXED
// witness: stdin "\xff"
#include <stdio.h>
#include <stdlib.h>

#ifdef FIXED
#define BUCKETS 32
#else
#define BUCKETS 31
#endif

int main(void)
{
    int byte = getchar();
    if (byte == EOF)
        return 1;
    unsigned *histogram = calloc(BUCKETS, sizeof *histogram);
    histogram[byte / 8]++; // expect: heap-buffer-overflow read|heap-buffer-overflow write
    unsigned first = histogram[0];
    free(histogram);
    return (int)first;
}
