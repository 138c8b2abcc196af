// Strips the newline of a line that getline read.
// stdin: first\nsecond\n
// stdout: 1: first
// stdout: 2: second
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

int main(void)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    int number = 0;
    while ((length = getline(&line, &capacity, stdin)) > 0) {
        line[length - 1] = '\0';
        printf("%d: %s\n", ++number, line);
    }
    free(line);
    return 0;
}
