// Cuts the name of a file out of a line and forgets the NUL at its end.
// stdout: -1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXTRA 1

static char *cut(const char *line, size_t length)
{
    char *name = malloc(length + EXTRA);
    if (!name)
        exit(1);
    memcpy(name, line, length + EXTRA);
    if (EXTRA)
        name[length] = 0;
    return name;
}

int main(void)
{
    char *name = cut("/nowhere/at/all:rest", 15);
    int missing = access(name, F_OK);
    printf("%d\n", missing);
    free(name);
    return 0;
}
