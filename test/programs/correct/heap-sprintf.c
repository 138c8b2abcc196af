// Formats a date into a buffer measured for it.
// stdout: 1994-03-14
#include <stdio.h>
#include <stdlib.h>

static char *iso_date(int year, int month, int day)
{
    char *text = malloc(sizeof "yyyy-mm-dd");
    sprintf(text, "%04d-%02d-%02d", year, month, day);
    return text;
}

int main(void)
{
    char *date = iso_date(1994, 3, 14);
    puts(date);
    free(date);
    return 0;
}
