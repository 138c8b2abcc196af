// The day of a date is looked at. The table has ten entries, and what lies far behind it belongs to somebody else.
// stdout: 1 0
#include <stdio.h>
#include <stdlib.h>

static int seen[10];
static int others[500];

static void note(const char *day)
{
    unsigned n = (unsigned)atoi(day);
    if (n < sizeof seen / sizeof *seen)
        seen[n] = 1;
}

int main(void)
{
    note("3");
    note("200");
    printf("%d %d\n", seen[3], others[0]);
    return 0;
}
