// Two nested loops with symbolic bounds: paths counted by hand.
// run: explore
// paths: 10
#include <klee/klee.h>

int main(void)
{
    unsigned char rows, columns;
    klee_make_symbolic(&rows, 1, "rows");
    klee_make_symbolic(&columns, 1, "columns");
    klee_assume(rows < 4);
    klee_assume(columns < 3);
    int cells = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            cells++;
    klee_assert(cells <= 6);
    return 0;
}
