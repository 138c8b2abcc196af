// Commands told apart by their first letters.
// run: explore --sym-stdin 8
// output: get\n
// output: none\n
// output: put\n
// output: putall\n
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[9] = "";
    if (fread(line, 1, 8, stdin) != 8)
        return 1;
    if (strncmp(line, "get ", 4) == 0)
        puts("get");
    else if (strncmp(line, "putall", 6) == 0)
        puts("putall");
    else if (strncmp(line, "put", 3) == 0)
        puts("put");
    else
        puts("none");
    return 0;
}
