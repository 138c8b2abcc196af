// Splits an array with strtok, which writes zeros into it.
// stdout: 3
#include <stdio.h>
#include <string.h>

int main(void)
{
    char path[] = "/bin:/usr/bin:/sbin";
    int n = 0;
    for (char *p = strtok(path, ":"); p; p = strtok(NULL, ":"))
        n += p[0] == '/';
    printf("%d\n", n);
    return 0;
}
