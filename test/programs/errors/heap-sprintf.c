// Formats a date into a buffer measured for two-digit years.
#include <stdio.h>
#include <stdlib.h>

static char *iso_date(int year, int month, int day)
{
    char *text = malloc(sizeof "yy-mm-dd");
    sprintf(text, "%04d-%02d-%02d", year, month, day); // expect: heap-buffer-overflow write
    return text;
}

int main(void)
{
    char *date = iso_date(1994, 3, 14);
    puts(date);
    free(date);
    return 0;
}
