// Two threads look at one byte each, through thread-local variables and a lock; only together they are wrong.
// run: explore --sym-stdin 2
// loses: thread-order
// twin: -DFIXED
// witness: stdin "ok"
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local char seen = 'x';
static int votes;

struct question {
    char given;
    char wanted;
};

static void *vote(void *argument)
{
    const struct question *question = argument;
    if (seen != 'x')
        abort();
    seen = question->given;
    if (seen == question->wanted) {
        pthread_mutex_lock(&lock);
        votes++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    char text[2];
    pthread_t one, two;
    if (read(0, text, 2) != 2)
        return 1;
    struct question first = { text[0], 'o' };
    struct question second = { text[1], 'k' };
    seen = text[0];
    pthread_create(&one, NULL, vote, &first);
    pthread_create(&two, NULL, vote, &second);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
#ifndef FIXED
    if (votes == 2 && seen == 'o')
        abort(); // expect: abort
#endif
    return votes;
}
