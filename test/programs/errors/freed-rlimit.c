// Asks for a limit into a structure that was given back.
// native: none (the sanitizers do not look at getrlimit)
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

int main(void)
{
    struct rlimit *limit = malloc(sizeof *limit);
    if (!limit)
        return 1;
    free(limit);
    int failed = getrlimit(RLIMIT_STACK, limit); // expect: heap-use-after-free write
    printf("%d\n", failed);
    return 0;
}
