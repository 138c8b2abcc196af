// A function declared to never return does.
// native: none (what happens natively is arbitrary)
#include <stdio.h>
#include <stdlib.h>

static int failures;

static _Noreturn void die(const char *message)
{
    printf("%s\n", message);
    if (failures++ > 3)
        exit(1);
} // expect: unreachable-reached

int main(void)
{
    for (int i = 0; i < 3; i++)
        die("failed"); // expect: unreachable-reached
    return 0;
}
