// A calculator's stack machine checks for overflow after the push.
// args: 1 2 3 4 5 + + + +
#include <stdio.h>
#include <stdlib.h>

struct machine {
    long *cells;
    int depth, limit;
};

static void push(struct machine *m, long value)
{
    m->cells[m->depth++] = value; // expect: heap-buffer-overflow write
    if (m->depth > m->limit) {
        fprintf(stderr, "stack overflow\n");
        exit(3);
    }
}

static long pop(struct machine *m)
{
    return m->depth ? m->cells[--m->depth] : 0;
}

int main(int argc, char **argv)
{
    struct machine m = { malloc(4 * sizeof(long)), 0, 4 };
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '+')
            push(&m, pop(&m) + pop(&m));
        else
            push(&m, strtol(argv[i], NULL, 10));
    }
    printf("%ld\n", pop(&m));
    free(m.cells);
    return 0;
}
