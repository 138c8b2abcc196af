// Saves a wide configuration over a global one of an older, smaller type.
#include <stdio.h>
#include <string.h>

struct old_options {
    short verbose, colour;
    int width;
};
struct options {
    short verbose, colour;
    int width, height, depth;
};

static struct old_options current;

static void save(const struct options *options)
{
    memcpy(&current, options, sizeof *options); // expect: global-buffer-overflow write
}

int main(void)
{
    struct options options = { 1, 0, 80, 25, 8 };
    save(&options);
    printf("%d %d\n", current.verbose, current.width);
    return 0;
}
