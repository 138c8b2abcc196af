// Asks for the name of the current folder and says that there is more room than there is.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int enter(const char *folder)
{
    return chdir(folder) == 0;
}

int main(void)
{
    char *name = malloc(4);
    if (!name || !enter("/usr/bin"))
        return 1;
    char *found = getcwd(name, 64); // expect: heap-buffer-overflow write
    printf("%s\n", found ? "found" : "no room");
    free(name);
    return 0;
}
