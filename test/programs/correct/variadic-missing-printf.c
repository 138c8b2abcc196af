// A format string asks for two strings, and the call passes two; a third would be ignored.
// stdout: greetings from here
#include <stdio.h>

static const char *const formats[] = { "%s\n", "%s from %s\n" };

int main(int argc, char **argv)
{
    (void)argv;
    const char *format = formats[argc > 0];
    printf(format, "greetings", "here", "there");
    return 0;
}
