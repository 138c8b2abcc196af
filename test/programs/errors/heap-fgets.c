// A configuration reader gives fgets the size of its pointer's target type times the wrong count.
// stdin: name = a value that is rather long\n
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    FILE *in;
    char *line;
    int size;
};

static int next(struct reader *r)
{
    return fgets(r->line, r->size * 2, r->in) != NULL; // expect: heap-buffer-overflow write
}

int main(void)
{
    struct reader r = { stdin, malloc(20), 20 };
    while (next(&r)) {
        r.line[strcspn(r.line, "\n")] = 0;
        printf("<%s>\n", r.line);
    }
    free(r.line);
    return 0;
}
