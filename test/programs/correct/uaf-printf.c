// Logs a message before the string it shows is released.
// args: hello
// stdout: said 'hello'
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
    printf("said %s\n", message);
    free(message);
    return 0;
}
