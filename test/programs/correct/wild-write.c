// Writes through a pointer that was kept apart from the text.
// stdout: 6
#include <stdio.h>
#include <string.h>

struct cursor {
    char name[8];
    int *target;
};

static int cell = 5;

int main(void)
{
    struct cursor c = { "", &cell };
    const char *name = "leftmost-cursor!";
    memcpy(c.name, name, sizeof c.name);
    *c.target = 6;
    printf("%d\n", cell);
    return 0;
}
