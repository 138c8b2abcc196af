// The day of a date is not looked at. The table has ten entries, and what lies far behind it belongs to somebody else.
// native: none (AddressSanitizer's redzones are jumped over as well)
#include <stdio.h>
#include <stdlib.h>

static int seen[10];
static int others[500];

static void note(const char *day)
{
    seen[atoi(day)] = 1; // expect: global-buffer-overflow write
}

int main(void)
{
    note("3");
    note("200");
    printf("%d %d\n", seen[3], others[0]);
    return 0;
}
