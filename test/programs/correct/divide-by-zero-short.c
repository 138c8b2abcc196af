// Scales a picture to a thumbnail at least one pixel high.
// stdout: 4
// stdout: 8
// stdout: 480
#include <stdio.h>

struct size {
    short width, height;
};

static short step(struct size from, struct size to)
{
    return from.height / (to.height ? to.height : 1);
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
