// strlen of a symbolic string: one path for each length.
// run: explore --sym-stdin 4
// output: 0\n
// output: 1\n
// output: 2\n
// output: 3\n
// output: 4\n
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char text[5] = "";
    if (read(0, text, 4) != 4)
        return 1;
    switch (strlen(text)) {
    case 0: puts("0"); break;
    case 1: puts("1"); break;
    case 2: puts("2"); break;
    case 3: puts("3"); break;
    case 4: puts("4"); break;
    }
    return 0;
}
