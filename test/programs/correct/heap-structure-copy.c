// Merging spans copies 16-byte structures within the array.
// stdout: 0+12
// stdout: 20+5
// stdout: 40+1
#include <stdio.h>
#include <stdlib.h>

struct span {
    long start;
    int length;
    int colour;
};

static int merge(struct span *spans, int count)
{
    int out = 0;
    for (int i = 0; i + 1 < count; i++) {
        struct span next = spans[i + 1];
        if (spans[out].start + spans[out].length >= next.start)
            spans[out].length = next.start + next.length - spans[out].start;
        else
            spans[++out] = next;
    }
    return out + 1;
}

int main(void)
{
    struct span *spans = malloc(4 * sizeof *spans);
    spans[0] = (struct span){ 0, 10, 1 };
    spans[1] = (struct span){ 8, 4, 2 };
    spans[2] = (struct span){ 20, 5, 3 };
    spans[3] = (struct span){ 40, 1, 4 };
    int n = merge(spans, 4);
    for (int i = 0; i < n; i++)
        printf("%ld+%d\n", spans[i].start, spans[i].length);
    free(spans);
    return 0;
}
