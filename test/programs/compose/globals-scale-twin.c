// Draws bars. `scale` and `offset` are variables of the program that directives in its input change: `s3` scale 3, `o2`
// offset 2, `b7` a bar of 7.
#include <stdio.h>

static int scale = 1;
static int offset;
static int bars;

static int bar_length(int value)
{
    int shifted = value * 12 + offset;
    return shifted / (scale - offset); // WOULD FAIL
}

static void draw(int value)
{
    int length = bar_length(value);
    for (int i = 0; i < length && i < 40; i++)
        putchar('#');
    putchar('\n');
    bars++;
}

static int directive(char letter, int value)
{
    switch (letter) {
    case 's':
        if (value == 0)
            return -1;
        scale = value;
        break;
    case 'o': offset = value; break;
    case 'b':
        if (scale == offset)
            return -1;
        draw(value);
        break;
    default: return -1;
    }
    return 0;
}

int main(void)
{
    char text[20];
    size_t size = fread(text, 1, sizeof text, stdin);
    for (size_t i = 0; i + 1 < size; i += 2) {
        if (text[i + 1] < '0' || text[i + 1] > '9')
            continue;
        if (directive(text[i], text[i + 1] - '0') < 0)
            printf("? %c\n", text[i]);
    }
    printf("%d bars\n", bars);
    return 0;
}
