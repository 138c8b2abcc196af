// Keeps the last error message in a static buffer, cut to fit.
// stdout: no such file
// stdout: not enough memory for t
#include <stdio.h>
#include <string.h>

static char last_error[24];

static void fail(const char *message)
{
    strncpy(last_error, message, sizeof last_error - 1);
}

int main(void)
{
    static const char *messages[] = { "no such file", "not enough memory for table" };
    for (int i = 0; i < 2; i++) {
        fail(messages[i]);
        puts(last_error);
    }
    return 0;
}
