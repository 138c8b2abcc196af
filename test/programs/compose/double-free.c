// Jobs may be done and may be cancelled; each gives back what it holds. Arguments are letters: s starts, d is done,
// c cancels, f finishes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STARTED = 1, DONE = 2, CANCELLED = 4 };

struct job {
    char *output;
    unsigned state;
};

static void finish(struct job *job)
{
    if (job->state & DONE) {
        printf("output %s\n", job->output);
        free(job->output);
    }
    if (job->state & CANCELLED) {
        printf("cancelled\n");
        free(job->output); // FAILS
    }
    job->output = NULL;
    job->state = 0;
}

static void start(struct job *job)
{
    if (job->state != 0)
        return;
    job->output = calloc(4, 1);
    if (job->output == NULL)
        exit(1);
    memcpy(job->output, "ok", 2);
    job->state = STARTED;
}

static void mark(struct job *job, unsigned bit)
{
    if (!(job->state & STARTED))
        return;
    job->state |= bit;
}

static void order(struct job *job, char letter)
{
    switch (letter) {
    case 's': start(job); break;
    case 'd': mark(job, DONE); break;
    case 'c': mark(job, CANCELLED); break;
    case 'f':
        if (job->state & (DONE | CANCELLED))
            finish(job);
        break;
    default: break;
    }
}

int main(int argc, char **argv)
{
    struct job jobs[2] = {{NULL, 0}, {NULL, 0}};
    for (int i = 1; i < argc && i <= 2; i++)
        for (const char *letter = argv[i]; *letter != '\0'; letter++)
            order(&jobs[i - 1], *letter);
    for (int i = 0; i < 2; i++)
        if (jobs[i].state == STARTED)
            free(jobs[i].output);
        else
            order(&jobs[i], 'f');
    return 0;
}
