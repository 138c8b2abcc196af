// A directory walker keeps one large buffer for all its frames.
// stdout: 48597
#include <stdio.h>
#include <string.h>

static char path[65536];

static int walk(int depth)
{
    memset(path, 'a' + depth % 26, sizeof path);
    if (depth == 0)
        return path[100];
    int below = walk(depth - 1);
    return below + path[depth % 1000];
}

int main(void)
{
    printf("%d\n", walk(500));
    return 0;
}
