// Shapes in groups; each may have a style, or take its group's. Argument: g a group, p a plain group, s a shape, t a
// styled shape; w draws the last one.
#include <stdio.h>
#include <string.h>

struct style {
    int width, colour;
};

struct group {
    struct style *style;
    struct group *parent;
};

struct shape {
    struct group *group;
    struct style *own;
    int x, y;
};

static int stroke(const struct shape *shape)
{
    const struct style *style = shape->own;
    if (style == NULL)
        style = shape->group->style;
    return shape->x + style->width; // FAILS
}

static int draw(const struct shape *shape, int is_bold)
{
    if (shape->group == NULL)
        return -1;
    return stroke(shape) * (is_bold ? 2 : 1);
}

static int interpret(const char *text)
{
    static struct style thin = {1, 0}, thick = {3, 7};
    static struct group groups[4];
    static struct shape shape;
    size_t used = 0;
    int drawn = 0;
    for (; *text != '\0'; text++) {
        switch (*text) {
        case 'g':
        case 'p':
            if (used == 4)
                return -1;
            groups[used].style = *text == 'g' ? &thin : NULL;
            groups[used].parent = used > 0 ? &groups[used - 1] : NULL;
            shape.group = &groups[used++];
            break;
        case 's':
        case 't':
            shape.own = *text == 't' ? &thick : NULL;
            shape.x += 10;
            break;
        case 'w': drawn += draw(&shape, used > 2); break;
        default: return -1;
        }
    }
    return drawn;
}

int main(int argc, char **argv)
{
    if (argc != 2 || strlen(argv[1]) > 12)
        return 2;
    printf("%d\n", interpret(argv[1]));
    return 0;
}
