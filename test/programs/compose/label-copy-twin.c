// Labels of a plot: short names stand for long ones, which come out of a table and are copied into the axis' own room.
#include <stdio.h>
#include <string.h>

static const char *const units[] = {"metre", "second", "kilogram", "ampere", "candela"};

static void set_label(const char *name, int is_plural)
{
    char label[9];
    strcpy(label, name);
    if (is_plural)
        strcat(label, "s"); // WOULD FAIL
    printf("[%s]\n", label);
}

static const char *look_up(char letter)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (units[i][0] == letter)
            return units[i];
    return NULL;
}

static int axis(const char *order)
{
    const char *name = look_up(order[1]);
    if (name == NULL)
        return -1;
    int is_plural = order[2] != '1';
    if (strlen(name) + (size_t)is_plural > 8)
        return -1;
    set_label(name, is_plural);
    return 0;
}

static int plot(const char *text)
{
    int axes = 0;
    while (strlen(text) >= 3) {
        if (text[0] == 'x' || text[0] == 'y')
            axes += axis(text) == 0;
        text += 3;
    }
    return axes;
}

int main(int argc, char **argv)
{
    int axes = 0;
    for (int i = 1; i < argc; i++)
        axes += plot(argv[i]);
    printf("%d axes\n", axes);
    return axes == 0;
}
