// A function declared to never return exits.
// native: none (what happens natively is arbitrary)
// stdout: failed
// stdout: failed
// stdout: failed
#include <stdio.h>
#include <stdlib.h>

static int failures;

static void note(const char *message)
{
    printf("%s\n", message);
    if (failures++ > 3)
        exit(1);
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        note("failed");
    return 0;
}
