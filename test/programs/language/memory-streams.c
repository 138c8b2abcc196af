// open_memstream, fmemopen, getline, getdelim, and streams over pipes.
// stdout: 290 0,1,2,3,4,5,
// stdout: 0,Z
// stdout: 11 [alpha beta]
// stdout: 6 [gamma]
// stdout: 1 []
// stdout: 5 [delta]
// stdout: 1 4 5 3 3 7 
// stdout: 0
// stdout: 17
// stdout: through the pipe
// stdout: 1
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    for (int i = 0; i < 100; i++)
        fprintf(f, "%d,", i);
    fflush(f);
    printf("%zu %.12s\n", size, text);
    fseek(f, 2, SEEK_SET);
    fputs("Z", f);
    fclose(f);
    printf("%.3s\n", text);
    free(text);
    char source[] = "alpha beta\ngamma\n\ndelta";
    f = fmemopen(source, strlen(source), "r");
    char *line = NULL;
    size_t capacity = 0;
    ssize_t n;
    while ((n = getline(&line, &capacity, f)) >= 0)
        printf("%zd [%.*s]\n", n, (int)strcspn(line, "\n"), line);
    rewind(f);
    while ((n = getdelim(&line, &capacity, 'a', f)) >= 0)
        printf("%zd ", n);
    putchar('\n');
    free(line);
    fclose(f);
    int ends[2];
    printf("%d\n", pipe(ends));
    printf("%d\n", (int)write(ends[1], "through the pipe\n", 17));
    close(ends[1]);
    f = fdopen(ends[0], "r");
    char buffer[40];
    printf("%s", fgets(buffer, sizeof buffer, f));
    printf("%d\n", fgets(buffer, sizeof buffer, f) == NULL && feof(f));
    fclose(f);
    return 0;
}
