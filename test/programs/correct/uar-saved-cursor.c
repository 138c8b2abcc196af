// Registers a variable of main as the place for a result.
// stdout: 41
#include <stdio.h>

static int *result_slot;

static void register_slot(int *slot)
{
    result_slot = slot;
}

static void begin(int *slot, int initial)
{
    *slot = initial;
    register_slot(slot);
}

int main(void)
{
    int value;
    begin(&value, 41);
    int result = *result_slot;
    printf("%d\n", result);
    return 0;
}
