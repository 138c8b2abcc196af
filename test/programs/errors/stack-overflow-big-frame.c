// A directory walker keeps a large buffer in each frame of a deep walk.
#include <stdio.h>
#include <string.h>


static int walk(int depth) // expect-function: stack-overflow
{
    char path[65536];
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
