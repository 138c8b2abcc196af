// Registers a local variable as the place for a result, which is read after its function returned.
#include <stdio.h>

static int *result_slot;

static void register_slot(int *slot)
{
    result_slot = slot;
}

static void begin(int initial)
{
    int value = initial;
    register_slot(&value);
}

int main(void)
{
    begin(41);
    int result = *result_slot; // expect: stack-use-after-return read
    printf("%d\n", result);
    return 0;
}
