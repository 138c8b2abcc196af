// Clears a pixel row by the size of the wrong structure.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rgb {
    unsigned char r, g, b;
};
struct rgba {
    unsigned char r, g, b, a;
};

static struct rgb *new_row(int width)
{
    struct rgb *row = malloc(width * sizeof(struct rgb));
    memset(row, 0xff, width * sizeof(struct rgba)); // expect: heap-buffer-overflow write
    return row;
}

int main(void)
{
    struct rgb *row = new_row(33);
    int sum = 0;
    for (int i = 0; i < 33; i++)
        sum += row[i].r + row[i].g + row[i].b;
    printf("%d\n", sum);
    free(row);
    return 0;
}
