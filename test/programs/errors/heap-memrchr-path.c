// Looks for the last slash of a path, and takes the buffer's size for the string's.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *last_slash(const char *path, size_t size)
{
    return memrchr(path, '/', size); // expect: heap-buffer-overflow read
}

int main(void)
{
    char *path = strdup("/usr/lib/x");
    const char *slash = last_slash(path, 64);
    printf("%s\n", slash);
    free(path);
    return 0;
}
