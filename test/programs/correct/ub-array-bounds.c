// A row of a two-dimensional array is read to its end.
// options: --ubsan all
// stdout: 35
#include <stdio.h>

static int grid[4][5];

static int row_sum(int row)
{
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += grid[row][i];
    return sum;
}

int main(void)
{
    for (int i = 0; i < 20; i++)
        grid[i / 5][i % 5] = i;
    printf("%d\n", row_sum(1));
    return 0;
}
