// A word somewhere in a text.
// run: explore --sym-stdin 6
// output: after 0\n
// output: after 1\n
// output: after 2\n
// output: nowhere\n
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char text[7] = "";
    if (read(0, text, 6) != 6)
        return 1;
    char *found = strstr(text, "word");
    if (!found)
        puts("nowhere");
    else if (found == text)
        puts("after 0");
    else if (found == text + 1)
        puts("after 1");
    else
        puts("after 2");
    return 0;
}
