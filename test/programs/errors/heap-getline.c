// Strips the newline of a line, mistaking getline's capacity for its length.
// stdin: first\nsecond\n
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
        line[capacity] = '\0'; // expect: heap-buffer-overflow write
        printf("%d: %s\n", ++number, line);
    }
    free(line);
    return 0;
}
