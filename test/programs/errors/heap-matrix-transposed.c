// A matrix printer indexes columns by rows, which is harmless only for square matrices.
#include <stdio.h>
#include <stdlib.h>

struct matrix {
    int rows, columns;
    double *cells;
};

static double at(const struct matrix *m, int row, int column)
{
    return m->cells[column * m->columns + row]; // expect: heap-buffer-overflow read
}

int main(void)
{
    struct matrix m = { 3, 4, malloc(3 * 4 * sizeof(double)) };
    for (int i = 0; i < m.rows * m.columns; i++)
        m.cells[i] = i;
    double trace = 0;
    for (int r = 0; r < m.rows; r++)
        for (int c = 0; c < m.columns; c++)
            trace += at(&m, r, c) * (r + 1);
    printf("%g\n", trace);
    free(m.cells);
    return 0;
}
