// A session is closed after 200 MB of buffers and some hundred thousand strings have come and gone.
// stdout: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session {
    char name[40];
    int requests;
};

static void serve(unsigned round)
{
    char *buffer = malloc(200000 + round);
    char *line = malloc(24);
    memcpy(buffer, "answer", 7);
    memcpy(line, "line", 5);
    free(buffer);
    free(line);
}

int main(void)
{
    struct session *session = malloc(sizeof *session);
    strcpy(session->name, "first");
    session->requests = 0;
    for (unsigned round = 0; round < 1000; round++)
        serve(round);
    for (int words = 0; words < 150000; words++)
        free(malloc(20));
    struct session *next = calloc(1, sizeof *next);
    printf("%d\n", session->requests + next->requests);
    free(session);
    free(next);
    return 0;
}
