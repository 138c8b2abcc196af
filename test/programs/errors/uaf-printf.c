// Logs a message after the string it shows was released.
// args: hello
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *quote(const char *text)
{
    char *q = malloc(strlen(text) + 3);
    sprintf(q, "'%s'", text);
    return q;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    char *message = quote(argv[1]);
    free(message);
    printf("said %s\n", message); // expect: heap-use-after-free read
    return 0;
}
