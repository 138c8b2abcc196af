// Jumps to the function that implements an opcode.
// stdout: -4
#include <stdint.h>
#include <stdio.h>

typedef int operation(int);

static int increment(int x) { return x + 1; }
static int negate(int x) { return -x; }

static operation *implementation(uintptr_t opcode)
{
    switch (opcode) {
    case 0x10: return increment;
    case 0x20: return negate;
    default: return increment;
    }
}

int main(void)
{
    static const uintptr_t program[] = { 0x10, 0x20, 0x7777777 };
    int value = 4;
    for (int i = 0; i < 3; i++)
        value = implementation(program[i])(value);
    printf("%d\n", value);
    return 0;
}
