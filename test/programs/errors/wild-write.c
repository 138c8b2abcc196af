// Writes through a pointer that was overwritten with text.
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
    memcpy(&c, name, 16);
    *c.target = 6; // expect: wild-access write
    printf("%d\n", cell);
    return 0;
}
