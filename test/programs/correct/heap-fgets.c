// A configuration reader gives fgets the size of its buffer.
// stdin: name = a value that is rather long\n
// stdout: <name = a value that>
// stdout: < is rather long>
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
    return fgets(r->line, r->size, r->in) != NULL;
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
