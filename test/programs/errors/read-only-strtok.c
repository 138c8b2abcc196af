// Splits a literal with strtok, which writes zeros into it.
#include <stdio.h>
#include <string.h>

int main(void)
{
    char *path = "/bin:/usr/bin:/sbin";
    int n = 0;
    for (char *p = strtok(path, ":"); p; p = strtok(NULL, ":")) // expect: read-only-write write
        n += p[0] == '/';
    printf("%d\n", n);
    return 0;
}
