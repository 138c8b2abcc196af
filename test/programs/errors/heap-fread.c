// Reads fixed-size records, confusing the record's size with the count of records.
// stdin: aaaaaaaabbbbbbbbccccccccdddddddd
#include <stdio.h>
#include <stdlib.h>

#define RECORD 8

int main(void)
{
    size_t capacity = 2;
    char *records = malloc(capacity * RECORD);
    size_t n = fread(records, RECORD, RECORD, stdin); // expect: heap-buffer-overflow write
    for (size_t i = 0; i < n; i++)
        printf("%.*s\n", RECORD, records + i * RECORD);
    free(records);
    return 0;
}
