// A format string asks for two strings; the call passes one.
// native: none (printf reads what a register holds)
#include <stdio.h>

static const char *const formats[] = { "%s\n", "%s from %s\n" };

int main(int argc, char **argv)
{
    (void)argv;
    const char *format = formats[argc > 0];
    printf(format, "greetings"); // expect: missing-argument
    return 0;
}
