// Asks for a limit into a structure that was given back.
// stdout: 0
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

int main(void)
{
    struct rlimit *limit = malloc(sizeof *limit);
    if (!limit)
        return 1;
    int failed = getrlimit(RLIMIT_STACK, limit);
    free(limit);
    printf("%d\n", failed);
    return 0;
}
