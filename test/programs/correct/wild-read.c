// Looks a handle, which is a number, up in its table.
// stdout: 5
// stdout: 30
#include <stdint.h>
#include <stdio.h>

struct image {
    int width, height;
};

static struct image images[4] = { { 1, 2 }, { 3, 4 }, { 5, 6 }, { 7, 8 } };

static uintptr_t handle_of(int index)
{
    return 0x40000000u + index;
}

static int area(uintptr_t handle)
{
    const struct image *image = &images[handle - 0x40000000u];
    return image->width * image->height;
}

int main(void)
{
    printf("%d\n", images[2].width);
    printf("%d\n", area(handle_of(2)));
    return 0;
}
