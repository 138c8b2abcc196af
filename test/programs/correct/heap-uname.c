// Keeps only the first field of what uname tells, and gives it only room for that.
// stdout: Linux
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>

int main(void)
{
    struct utsname *system = malloc(sizeof *system);
    if (!system || uname(system)) return 1;
    printf("%s\n", system->sysname);
    free(system);
    return 0;
}
