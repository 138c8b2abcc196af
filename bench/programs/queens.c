// Backtracking: the queens puzzle by arrays and by bits, and a knight's-move count, all recursive.
#include <stdio.h>
#include <stdlib.h>

static int columns[16], up[32], down[32], solutions;

static void place(int row, int n)
{
    if (row == n) {
        solutions++;
        return;
    }
    for (int c = 0; c < n; c++)
        if (!columns[c] && !up[row + c] && !down[row - c + n]) {
            columns[c] = up[row + c] = down[row - c + n] = 1;
            place(row + 1, n);
            columns[c] = up[row + c] = down[row - c + n] = 0;
        }
}

static int by_bits(unsigned all, unsigned taken, unsigned left, unsigned right)
{
    int count = taken == all;
    for (unsigned free = all & ~(taken | left | right); free; free &= free - 1) {
        unsigned bit = free & -free;
        count += by_bits(all, taken | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return count;
}

static int board[7][7];
static long walks(int y, int x, int left)
{
    static const signed char moves[8][2] = { { 1, 2 }, { 2, 1 }, { 2, -1 }, { 1, -2 }, { -1, -2 }, { -2, -1 }, { -2, 1 }, { -1, 2 } };
    if (left == 0)
        return 1;
    long count = 0;
    board[y][x] = 1;
    for (int i = 0; i < 8; i++) {
        int ny = y + moves[i][0], nx = x + moves[i][1];
        if (ny >= 0 && ny < 7 && nx >= 0 && nx < 7 && !board[ny][nx])
            count += walks(ny, nx, left - 1);
    }
    board[y][x] = 0;
    return count;
}

int main(void)
{
    place(0, 12);
    printf("%d %d %ld\n", solutions, by_bits((1u << 13) - 1, 0, 0, 0), walks(3, 3, 11));
    return 0;
}
