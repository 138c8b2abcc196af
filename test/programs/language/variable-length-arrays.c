// Variable-length arrays: in loops, two-dimensional, as parameters, with sizeof, in deep and repeated calls.
// stdout: 350 64
// stdout: 2500
// stdout: 45150
// stdout: 32
// stdout: 10
// stdout: 5
#include <stdio.h>
#include <string.h>

static int trace(int n, int matrix[n][n])
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += matrix[i][i];
    return sum;
}

static size_t grow(int limit)
{
    size_t total = 0;
    for (int n = 1; n <= limit; n++) {
        char text[n * 3];
        memset(text, 'x', sizeof text);
        total += sizeof text + (text[n * 3 - 1] == 'x');
    }
    return total;
}

static int nested(int depth)
{
    int cells[depth + 1];
    cells[depth] = depth;
    if (depth > 0)
        cells[depth] += nested(depth - 1);
    return cells[depth];
}

static double transpose_sum(int rows, int columns, double (*m)[columns])
{
    double t[columns][rows], sum = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            t[c][r] = m[r][c];
    for (int c = 0; c < columns; c++)
        sum = sum * 2 + t[c][rows - 1];
    return sum;
}

int main(void)
{
    int n = 4;
    int matrix[n][n];
    for (int i = 0; i < n * n; i++)
        matrix[i / n][i % n] = i * i;
    printf("%d %zu\n", trace(n, matrix), sizeof matrix);
    printf("%zu\n", grow(40));
    printf("%d\n", nested(300));
    double m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    printf("%g\n", transpose_sum(2, 3, m));
    int again = 0, size = n;
restart:;
    {
        long row[size];
        row[size - 1] = size;
        again += (int)row[size - 1];
    }
    if (--size > 0)
        goto restart;
    printf("%d\n", again);
    typedef int vector[n + 1];
    n = 100;
    printf("%zu\n", sizeof(vector) / sizeof(int));
    return 0;
}
