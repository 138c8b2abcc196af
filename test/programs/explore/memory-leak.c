// A block is forgotten when the input has a comment.
// run: explore --sym-stdin 1 --leaks
// twin: -DFIXED
// witness: stdin "#"
// native: leaks
#include <stdio.h>
#include <stdlib.h>

static int parse(int c)
{
    char *node = malloc(32); // expect: memory-leak
    node[0] = (char)c;
    if (c == '#') {
#ifdef FIXED
        free(node);
#endif
        return 0;
    }
    int result = node[0] == 'x';
    free(node);
    return result;
}

int main(void)
{
    return parse(getchar());
}
