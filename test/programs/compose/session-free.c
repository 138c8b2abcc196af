// A session of a server, driven by letters: o opens, w writes, r refuses, c closes. A refusal while nothing waits gives
// the buffer back too early.
#include <stdio.h>
#include <stdlib.h>

struct session {
    char *buffer;
    int waiting, is_open, sent;
};

static int open_session(struct session *s)
{
    if (s->is_open)
        return -1;
    s->buffer = malloc(8);
    if (s->buffer == NULL)
        return -1;
    s->is_open = 1;
    s->waiting = 0;
    return 0;
}

static void refuse(struct session *s, int code)
{
    if (s->waiting == 0) {
        free(s->buffer);
        s->is_open = 0;
    }
    s->buffer[0] = (char)code; // FAILS
    s->sent++;
}

static int write_one(struct session *s, char c)
{
    if (!s->is_open || s->waiting == 8)
        return -1;
    s->buffer[s->waiting++] = c;
    return 0;
}

static int close_session(struct session *s)
{
    if (!s->is_open)
        return -1;
    free(s->buffer);
    s->buffer = NULL;
    s->is_open = 0;
    return 0;
}

static int event(struct session *s, char letter)
{
    switch (letter) {
    case 'o': return open_session(s);
    case 'w': return write_one(s, 'd');
    case 'r':
        if (!s->is_open)
            return -1;
        refuse(s, 4);
        return 0;
    case 'c': return close_session(s);
    default: return -1;
    }
}

static int drive(struct session *s, const char *events)
{
    int wrong = 0;
    for (; *events != '\0' && *events != '\n'; events++)
        if (event(s, *events) < 0)
            wrong++;
    return wrong;
}

int main(void)
{
    struct session session = {NULL, 0, 0, 0};
    char events[16];
    if (fgets(events, sizeof events, stdin) == NULL)
        return 1;
    int wrong = drive(&session, events);
    printf("%d wrong, %d sent\n", wrong, session.sent);
    close_session(&session);
    return 0;
}
