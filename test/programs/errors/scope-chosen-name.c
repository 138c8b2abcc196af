// Picks a default name from an array that lives only in the block that chose it.
// args: 3
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int kind = argc > 1 ? atoi(argv[1]) : 0;
    const char *name = "none";
    if (kind > 2) {
        char text[16];
        snprintf(text, sizeof text, "kind-%d", kind);
        name = text;
    }
    int length = 0;
    while (name[length]) // expect: stack-use-after-scope|stack-use-after-return read
        length++;
    printf("%d\n", length);
    return 0;
}
