// Saves a configuration over a global one of the same type.
// stdout: 1 80
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

static struct options current;

static void save(const struct options *options)
{
    memcpy(&current, options, sizeof *options);
}

int main(void)
{
    struct options options = { 1, 0, 80, 25, 8 };
    save(&options);
    printf("%d %d\n", current.verbose, current.width);
    return 0;
}
