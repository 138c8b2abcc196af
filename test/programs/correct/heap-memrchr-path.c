// Looks for the last slash of a path of known length.
// stdout: /x
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *last_slash(const char *path, size_t size)
{
    return memrchr(path, '/', size);
}

int main(void)
{
    char *path = strdup("/usr/lib/x");
    const char *slash = last_slash(path, strlen(path));
    printf("%s\n", slash);
    free(path);
    return 0;
}
