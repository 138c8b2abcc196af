// A game of life looks at the neighbours of the last row without a border.
#include <stdio.h>
#include <string.h>

#define N 8

static int neighbours(unsigned char board[N][N], int y, int x)
{
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dy || dx)
                n += board[y + dy][(x + dx + N) % N]; // expect: stack-buffer-overflow read
    return n;
}

int main(void)
{
    unsigned char board[N][N] = { { 0, 1 }, { 0, 0, 1 }, { 1, 1, 1 } }, next[N][N];
    for (int turn = 0; turn < 20; turn++) {
        for (int y = 1; y < N; y++)
            for (int x = 0; x < N; x++) {
                int n = neighbours(board, y, x);
                next[y][x] = n == 3 || (n == 2 && board[y][x]);
            }
        memcpy(board, next, sizeof board);
    }
    for (int y = 0; y < N; y++) {
        for (int x = 0; x < N; x++)
            putchar(board[y][x] ? '#' : '.');
        putchar('\n');
    }
    return 0;
}
