// A threaded interpreter adds the opcode to the address of a label instead of looking it up.
// native: none (natively the processor goes on in the middle of some instruction)
#include <stdio.h>

static int run(const unsigned char *code)
{
    static void *const labels[] = { &&increment, &&twice, &&stop };
    int value = 1;
    char *next = labels[*code];
    for (;;) {
        goto *next; // expect: wild-jump
    increment:
        value++;
        next = (char *)labels[0] + 1000 * *++code;
        continue;
    twice:
        value *= 2;
        next = labels[*++code];
        continue;
    stop:
        return value;
    }
}

int main(void)
{
    static const unsigned char program[] = { 1, 1, 0, 1, 2 };
    printf("%d\n", run(program));
    return 0;
}
