// A palette of eight colours. Pixels ask for a colour by its number; so do fills, which look at the number before.
#include <stdio.h>

static const int palette[8] = {0, 9, 12, 30, 41, 77, 90, 99};

static int colour(int number)
{
    return palette[number]; // WOULD FAIL
}

static int shade(int number, int light)
{
    int base = colour(number);
    return light ? base + 1 : base;
}

static int fill(int number, int size)
{
    if (number < 0 || number > 7 || size == 0)
        return -1;
    return shade(number, size > 3);
}

static int pixel(int number, int x)
{
    if (number > 7)
        return -1;
    if (x % 2)
        return shade(number, 0);
    return x;
}

static int paint(char kind, int first, int second)
{
    switch (kind) {
    case 'f': return fill(first, second);
    case 'p': return pixel(first, second);
    default: return -1;
    }
}

int main(void)
{
    char order[3];
    int drawn = 0;
    while (fread(order, 1, 3, stdin) == 3) {
        int first = order[1] - '0', second = order[2] - '0';
        if (first < 0 || first > 9 || second < 0 || second > 9)
            return 1;
        printf("%d\n", paint(order[0], first, second));
        drawn++;
    }
    return drawn == 0;
}
