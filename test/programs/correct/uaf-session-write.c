// A session table stamps a session and then closes it.
// stdout: 0 closed at 1001
// stdout: 1 closed at 1002
// stdout: 2 closed at 1003
// stdout: 3 closed at 1004
#include <stdio.h>
#include <stdlib.h>

struct session {
    int id;
    long closed_at;
    char user[24];
};

static struct session *sessions[4];
static long now = 1000;

static void session_close(int slot)
{
    struct session *s = sessions[slot];
    sessions[slot] = NULL;
    s->closed_at = ++now;
    printf("%d closed at %ld\n", s->id, s->closed_at);
    free(s);
}

int main(void)
{
    for (int i = 0; i < 4; i++) {
        sessions[i] = calloc(1, sizeof **sessions);
        sessions[i]->id = i;
    }
    for (int i = 0; i < 4; i++)
        session_close(i);
    return 0;
}
