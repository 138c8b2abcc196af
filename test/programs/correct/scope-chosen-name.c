// Picks a default name from an array that lives as long as it is used.
// args: 3
// stdout: 6
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int kind = argc > 1 ? atoi(argv[1]) : 0;
    const char *name = "none";
    char text[16];
    if (kind > 2) {
        snprintf(text, sizeof text, "kind-%d", kind);
        name = text;
    }
    int length = 0;
    while (name[length])
        length++;
    printf("%d\n", length);
    return 0;
}
