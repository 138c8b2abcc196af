// A session table closes a session and then stamps it.
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
    free(s);
    s->closed_at = ++now; // expect: heap-use-after-free write
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
