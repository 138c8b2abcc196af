// Keeps the last error message in a static buffer that some messages outgrow.
#include <stdio.h>
#include <string.h>

static char last_error[24];

static void fail(const char *message)
{
    strcpy(last_error, message); // expect: global-buffer-overflow write
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
