// Scales a picture to a thumbnail of height zero.
#include <stdio.h>

struct size {
    short width, height;
};

static short step(struct size from, struct size to)
{
    return from.height / to.height; // expect: division-by-zero
}

int main(void)
{
    struct size picture = { 640, 480 };
    for (short h = 120; h >= 0; h -= 60) {
        struct size thumbnail = { 80, h };
        printf("%d\n", step(picture, thumbnail));
    }
    return 0;
}
