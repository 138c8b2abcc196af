// The length of a chunk is computed and checked.
// stdout: 6
// stdout: 2
// stdout: 0
#include <stdio.h>
#include <string.h>

static int copy_chunk(char *out, const char *text, int start, int end)
{
    if (end < start)
        return 0;
    memcpy(out, text + start, end - start);
    return end - start;
}

int main(void)
{
    char out[32];
    const char *text = "chunks of this text";
    printf("%d\n", copy_chunk(out, text, 0, 6));
    printf("%d\n", copy_chunk(out, text, 7, 9));
    printf("%d\n", copy_chunk(out, text, 10, 4));
    return 0;
}
