// A command table is dispatched with a checked command number.
// stdout: 7
// stdout: 21
// stdout: 17
// stdout: -1
#include <stdio.h>

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }

static int (*const commands[])(int, int) = { add, subtract, multiply };

static int run(unsigned command, int a, int b)
{
    if (command >= sizeof commands / sizeof *commands)
        return -1;
    return commands[command](a, b);
}

int main(void)
{
    static const unsigned char script[] = { 0, 2, 1, 3 };
    int accumulator = 5;
    for (int i = 0; i < 4; i++) {
        accumulator = run(script[i], accumulator, i + 2);
        printf("%d\n", accumulator);
    }
    return 0;
}
