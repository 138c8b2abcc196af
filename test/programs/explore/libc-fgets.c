// Lines through stdio: a line that is longer than its array is cut, and the rest is the next line.
// run: explore --sym-stdin 6
// twin: -DFIXED
// witness: stdin "abcd\nx"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char first[4], second[4] = "";
    if (!fgets(first, sizeof first, stdin))
        return 1;
    if (!fgets(second, sizeof second, stdin))
        return 2;
#ifdef FIXED
    if (!strchr(first, '\n'))
        return 3;
#endif
    if (strlen(first) == 3 && !strchr(first, '\n') && strcmp(second, "d\n") == 0)
        abort(); // expect: abort
    return 0;
}
