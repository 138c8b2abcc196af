// Reads fixed-size records.
// stdin: aaaaaaaabbbbbbbbccccccccdddddddd
// stdout: aaaaaaaa
// stdout: bbbbbbbb
#include <stdio.h>
#include <stdlib.h>

#define RECORD 8

int main(void)
{
    size_t capacity = 2;
    char *records = malloc(capacity * RECORD);
    size_t n = fread(records, RECORD, capacity, stdin);
    for (size_t i = 0; i < n; i++)
        printf("%.*s\n", RECORD, records + i * RECORD);
    free(records);
    return 0;
}
